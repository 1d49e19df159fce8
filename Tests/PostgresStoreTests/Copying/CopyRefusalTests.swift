import AuthCore
import AuthTesting
import Foundation
import SQLAccounts
import SQLiteStore
import Testing
import TestSupport

@testable import PostgresStore

/// The refusals of a copy, and of a store that was copied for good.
@Suite(.serialized) struct CopyRefusalTests {
  private func expectRefusal(_ words: String, _ body: () throws -> Void) throws {
    let error = try #require(throws: AuthError.self) { try body() }
    expectExplained(error, .operationNotAllowed, words)
    #expect(error.field == "to")
  }

  @Test func `a schema with other accounts is left alone`() async throws {
    try await CopyPair.with("foreign") { pair in
      let other = try PostgresStore(url: pair.url)
      defer { other.close() }
      try await other.add("ada")

      try expectRefusal("holds something already") { try pair.add() }

      #expect(try await other.uids() == ["ada"])
    }
  }

  @Test func `servers refuse a copy that is not complete`() async throws {
    try await CopyPair.with("part") { pair in
      try pair.add()

      let error = try #require(throws: AuthError.self) { try PostgresStore(url: pair.url) }

      expectExplained(error, .storeUnavailable, "holds a copy that is not complete")
      try pair.compare()
      try PostgresStore(url: pair.url).close()
    }
  }

  @Test func `a copy of another store is left alone`() async throws {
    try await CopyPair.with("mixed") { pair in
      try pair.add()
      try await CopyPair.with("other") { other in
        let wrong = CopyPair(source: other.source, url: pair.url)
        try expectRefusal("is a copy of another store") { try wrong.add() }
      }
      #expect(try pair.compare() == 0)
    }
  }

  @Test func `a copy that became a store of its own is left alone`() async throws {
    try await CopyPair.with("final") { pair in
      try pair.add()
      try PostgresCopyTarget(url: pair.url).reached(.final)

      try expectRefusal("was completed") { try pair.add() }
    }
  }

  @Test func `two copies to one schema are not made at once`() async throws {
    try await CopyPair.with("twice") { pair in
      let first = try PostgresCopyTarget(url: pair.url)

      try expectRefusal("under way") { _ = try PostgresCopyTarget(url: pair.url) }

      #expect(try first.begin(copyOf: "x") == .adding(nil))
    }
  }

  @Test func `a store that was moved takes no changes until it is reopened`() async throws {
    try await CopyPair.with("closing") { pair in
      let scope = FullStore.scopes[0]
      let before = try await StoreContent(of: pair.source)
      try pair.source.withLastRows(closing: true) { _ in }

      for _ in 1...2 {
        let error = try await #require(throws: AuthError.self) {
          try await pair.source.write { try $0.saveCheckpoint("x", "y", in: scope) }
        }
        expectExplained(error, .storeUnavailable, "was moved")
      }
      #expect(try await StoreContent(of: pair.source) == before)

      #expect(try pair.source.reopen())
      #expect(try pair.source.reopen() == false)
      try await pair.source.write { try $0.saveCheckpoint("x", "y", in: scope) }
    }
  }

  @Test func `a store stays open if the last look at it fails`() async throws {
    try await CopyPair.with("open") { pair in
      #expect(throws: Interruption.self) {
        try pair.source.withLastRows(closing: true) { _ in throw Interruption() }
      }
      try await pair.source.write {
        try $0.saveCheckpoint("x", "y", in: FullStore.scopes[0])
      }
    }
  }

  @Test func `a saved place is read as it was written`() {
    for value in FullStore.hardTexts.map(SQLValue.string) + [.integer(.min), .null] {
      let place = CopyPlace(table: "accounts", row: [value, .integer(7)])
      let again = CopyPlace(text: place.text)
      #expect(again?.row.exactBytes == place.row.exactBytes)
    }
    #expect(CopyPlace(text: "nonsense") == nil)
  }
}
