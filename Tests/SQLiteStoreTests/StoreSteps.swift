import AuthCore
import Foundation
import Testing

@testable import SQLiteStore

/// What the tests do with stores.
extension SQLiteStore {
  static let scope = Scope(project: "test")

  func add(_ uid: String, name: String? = nil) async throws {
    var account = Account(
      id: AccountID(uid), scope: Self.scope, createdAt: Timestamp(milliseconds: 0))
    account.displayName = name
    let new = account
    try await write { try $0.insert(new) }
  }

  func uids() async throws -> [String] {
    try await read { reader in
      try reader.accounts(matching: AccountFilter(), after: nil, limit: 10_000, in: Self.scope)
        .map(\.id.rawValue)
    }
  }
}

/// Throws unless opening a path fails with `store-unavailable`, a message that names it, and a remedy.
@discardableResult
func expectUnavailable(
  _ path: String, saying words: String, busyTimeout: Duration = .seconds(10),
  sourceLocation: SourceLocation = #_sourceLocation,
) throws -> AuthError {
  let error = try #require(
    #expect(throws: AuthError.self, sourceLocation: sourceLocation) {
      _ = try SQLiteStore(path: path, busyTimeout: busyTimeout)
    })
  expectExplained(error, path, words, sourceLocation)
  return error
}

func expectExplained(
  _ error: AuthError, _ path: String, _ words: String,
  _ sourceLocation: SourceLocation = #_sourceLocation
) {
  #expect(error.code == .storeUnavailable, sourceLocation: sourceLocation)
  #expect(error.message.contains(path), "\(error)", sourceLocation: sourceLocation)
  #expect(error.message.contains(words), "\(error)", sourceLocation: sourceLocation)
  #expect(error.remedy?.isEmpty == false, sourceLocation: sourceLocation)
  let isOurs = error.cause == nil || error.cause is StoreFailure
  #expect(isOurs, sourceLocation: sourceLocation)
}

/// Runs a program to its end.
@discardableResult
func run(_ program: String, _ arguments: String...) throws -> String {
  let process = Process()
  process.executableURL = URL(filePath: "/usr/bin/env")
  process.arguments = [program] + arguments
  let output = Pipe()
  process.standardOutput = output
  process.standardError = output
  try process.run()
  let text = String(
    decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
  process.waitUntilExit()
  return text
}
