import AuthCore
import Foundation
import NIOConcurrencyHelpers

/// A project's admin tokens, which the store keeps as one list.
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

/// Caches admin tokens for some seconds, so that a request does not need a read of its own.
final class AdminTokenCache: Sendable {
  /// The milliseconds for which a list is used.
  private static let age: Int64 = 10_000
  /// The milliseconds after which a list that lacks a token is read again, because the token may be new.
  private static let ageOfMiss: Int64 = 100
  private static let maximumEntries = 10_000

  private struct Entry {
    let tokens: [AdminToken]
    let readAt: Timestamp
  }

  private struct State {
    var entries: [Scope: Entry] = [:]
    /// The number of invalidations; a read that began before one does not store its result.
    var generation = 0
  }

  private let store: any AccountStore
  private let state = NIOLockedValueBox(State())

  init(store: any AccountStore) {
    self.store = store
  }

  /// Returns the tokens of a project; nil if a fresh list is needed and the cached one is only a moment old.
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

  /// Invalidates the list of one project, or all lists.
  func forget(_ project: Scope?) {
    state.withLockedValue { state in
      state.generation += 1
      if let project { state.entries[project] = nil } else { state.entries = [:] }
    }
  }
}
