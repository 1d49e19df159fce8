import AuthCore
import AuthTesting
import Foundation
import SQLAccounts
import SQLiteStore

@testable import PostgresStore

/// A SQLite store, and a schema of PostgreSQL that becomes its copy.
struct CopyPair {
  let source: SQLiteStore
  let url: String

  /// Runs a closure with both, and removes them afterwards.
  static func with(
    _ topic: String, filled: Bool = true, _ body: (CopyPair) async throws -> Void
  ) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "copy-\(UUID())").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let source = try SQLiteStore(path: "\(folder)/accounts.db")
    if filled { try await FullStore.fill(source) }
    try await PostgresServer.shared.withSchema("copy_\(topic)") { url in
      try await body(CopyPair(source: source, url: url))
    }
  }

  /// Copies what is missing; `tell` may interrupt it.
  func add(
    pageSize: Int = 7, tell: @escaping (CopyPass.Progress) throws -> Void = { _ in }
  ) throws {
    let target = try PostgresCopyTarget(url: url)
    guard case .adding(let place) = try target.begin(copyOf: try source.name()) else { return }
    try source.withRows { rows in
      try CopyPass(from: rows, to: target, pageSize: pageSize, tell: tell).copy(from: place)
    }
    try target.reached(.comparing)
  }

  /// Makes the copy equal to a snapshot of the source, and returns the number of rows that took.
  @discardableResult
  func compare(pageSize: Int = 50) throws -> Int {
    let target = try PostgresCopyTarget(url: url)
    try target.reached(.comparing)
    return try source.withRows { rows in
      let pass = CopyPass(from: rows, to: target, pageSize: pageSize)
      let mended = Self.changes(try pass.compare())
      guard Self.changes(try pass.compare()) == 0 else {
        throw Interruption("what was mended is not equal")
      }
      try target.reached(.equal)
      return mended
    }
  }

  static func changes(_ outcomes: [CopyPass.TableOutcome]) -> Int {
    outcomes.reduce(0) { $0 + $1.written + $1.removed }
  }

  /// Runs SQL directly in the schema of the copy.
  func sql(_ text: String) throws {
    let schema = try ConnectionOptions(url: url).schema
    try PostgresServer.shared.run("set search_path to \(schema); \(text)")
  }

  /// Returns the content of both stores.
  func content() async throws -> (source: StoreContent, copy: StoreContent) {
    let copy = try PostgresStore(url: url)
    defer { copy.close() }
    return (try await StoreContent(of: source), try await StoreContent(of: copy))
  }
}

struct Interruption: Error, CustomStringConvertible {
  let description: String

  init(_ description: String = "interrupted") {
    self.description = description
  }
}
