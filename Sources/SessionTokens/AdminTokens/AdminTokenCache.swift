import AuthCore
import Foundation
import NIOConcurrencyHelpers

/// A project's admin tokens as the store keeps them: one list.
enum AdminTokenList {
  static let checkpoint = "admin-tokens"

  static func read(_ project: Scope, in reader: any AccountReader) throws -> [AdminToken] {
    guard let text = try reader.checkpoint(checkpoint, in: project) else { return [] }
    return try JSONDecoder().decode([AdminToken].self, from: Data(text.utf8))
  }

  static func save(
    _ tokens: [AdminToken], _ project: Scope, in writer: any AccountWriter
  ) throws {
    let text = String(decoding: try JSONEncoder().encode(tokens), as: UTF8.self)
    try writer.saveCheckpoint(checkpoint, tokens.isEmpty ? nil : text, in: project)
  }
}

/// Keeps admin tokens for some seconds, so that not every request of a tool reads them.
final class AdminTokenCache: Sendable {
  /// For how many milliseconds a list is good.
  private static let age: Int64 = 10_000
  /// For how many it is if a token is not in it, which may be new.
  private static let ageOfMiss: Int64 = 100
  private static let maximumEntries = 10_000

  private struct Entry {
    let tokens: [AdminToken]
    let readAt: Timestamp
  }

  private struct State {
    var entries: [Scope: Entry] = [:]
    /// Counts what was forgotten, so that a read that began before does not bring it back.
    var generation = 0
  }

  private let store: any AccountStore
  private let state = NIOLockedValueBox(State())

  init(store: any AccountStore) {
    self.store = store
  }

  /// The tokens of a project; nil where they must not be older and were read a moment ago.
  func tokens(
    _ project: Scope, at now: Timestamp, mayBeOlder: Bool
  ) async throws -> [AdminToken]? {
    let (entry, generation) = state.withLockedValue { ($0.entries[project], $0.generation) }
    if let entry {
      let age = now.milliseconds - entry.readAt.milliseconds
      if mayBeOlder, (0..<Self.age).contains(age) { return entry.tokens }
      if !mayBeOlder, (0..<Self.ageOfMiss).contains(age) { return nil }
    }
    let tokens = try await store.read { try AdminTokenList.read(project, in: $0) }
    state.withLockedValue { state in
      guard state.generation == generation else { return }
      if state.entries.count >= Self.maximumEntries { state.entries = [:] }
      state.entries[project] = Entry(tokens: tokens, readAt: now)
    }
    return tokens
  }

  /// Forgets a list that was changed, or all of them.
  func forget(_ project: Scope?) {
    state.withLockedValue { state in
      state.generation += 1
      if let project { state.entries[project] = nil } else { state.entries = [:] }
    }
  }
}
