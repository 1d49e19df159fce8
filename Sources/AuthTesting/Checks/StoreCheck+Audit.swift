import AuthCore
import ProviderChecks

extension StoreCheck {
  static let audit = [
    StoreCheck("every field of an event comes back, with its sequence") { store in
      let event = AuditEvent(
        id: "e'1", scope: Sample.scope, at: Sample.noon, actor: "admin:Zoë \"x\"",
        reason: "because\u{0}of 👍", action: .undoMerge, accountID: AccountID("a"),
        relatedIDs: [AccountID("c"), AccountID("b"), AccountID("a")],
        errorCode: "credential-already-in-use",
        details: [
          "list": [1, "two", true, .null, .number(1.5)], "text": "\u{0}\"\\/\n\u{7F}😀",
          "map": ["deep": ["deeper": [:]]], "large": .integer(.max),
        ], trace: try trace)

      try await store.write { try $0.append(event) }

      try await expectStored(event, in: store)
    },
    StoreCheck("an event about nothing comes back as it was") { store in
      let event = Sample.event("e")

      try await store.write { try $0.append(event) }

      try await expectStored(event, in: store)
    },
    StoreCheck("sequences begin above 0 and grow with every commit") { store in
      var sequences: [Int64] = [0]
      for number in 1...5 {
        try await store.append(Sample.event("e\(number)"))
        let stored = try await store.read { try $0.event("e\(number)", in: Sample.scope) }
        sequences.append(stored?.sequence ?? 0)
      }

      try expect(
        zip(sequences, sequences.dropFirst()).allSatisfy(<), "They are \(sequences) instead.")
    },
    StoreCheck("an event's ID is used once") { store in
      try await store.append(Sample.event("e"))

      do {
        try await store.append(Sample.event("e"))
      } catch is UniqueKeyConflict {
        return
      }
      throw CheckFailure("The second event was not refused.")
    },
    StoreCheck("history is newest first, with what an account was only related to") { store in
      try await fillWithEvents(store)

      try await expectEvents(store, about: nil, ["5", "4", "3", "2", "1"])
      try await expectEvents(store, about: ["a"], ["4", "2", "1"])
      try await expectEvents(store, about: ["b"], ["3", "2"])
      try await expectEvents(store, about: ["a", "b"], ["4", "3", "2", "1"])
      try await expectEvents(store, about: ["a"], limit: 2, ["4", "2"])
      try await expectEvents(store, about: ["a", "b"], limit: 3, ["4", "3", "2"])
      try await expectEvents(store, about: ["unknown"], [])
      try await expectEvents(store, about: [], [])
    },
    StoreCheck("pages of history go on before an event") { store in
      try await fillWithEvents(store)
      let third = try await store.read { try $0.event("3", in: Sample.scope)?.sequence }

      try await expectEvents(store, about: nil, before: third, limit: 1, ["2"])
      try await expectEvents(store, about: ["a", "b"], before: third, ["2", "1"])
    },
    StoreCheck("history survives the account") { store in
      let account = try Sample.account("a")
      try await store.insert(account)
      try await store.write { writer in
        try writer.append(Sample.event("1", about: "a"))
        try writer.delete(account)
      }

      try await expectEvents(store, about: ["a"], ["1"])
    },
    StoreCheck("the outbox gives the events of all scopes, oldest first, behind a sequence") {
      store in
      let other = Scope(project: "other")
      try await store.write { writer in
        try writer.append(Sample.event("1"))
        try writer.append(Sample.event("2", in: other))
        try writer.append(Sample.event("3"))
      }

      let events = try await store.read { try $0.outbox(after: 0, limit: 2) }
      try expect(events.map(\.id), is: ["1", "2"], "The first page")
      try expect(events.map(\.scope), is: [Sample.scope, other], "The list of scopes")

      let last = events.last?.sequence ?? 0
      let rest = try await store.read { try $0.outbox(after: last, limit: 2) }
      try expect(rest.map(\.id), is: ["3"], "The second page")
    },
    StoreCheck("an event and its outbox row are committed together with the change") { store in
      try await store.write { writer in
        try writer.insert(try Sample.account("a"))
        try writer.append(Sample.event("e", about: "a"))
      }

      try await store.read { reader in
        let delivered = try reader.outbox(after: 0, limit: 9)
        try expect(delivered, is: [try reader.event("e", in: Sample.scope)], "The outbox")
        try expect(try reader.accountCount(in: Sample.scope), is: 1, "The count")
      }
    },
  ]

  private static var trace: Trace {
    get throws {
      // Only the rules write traces, so this one is decoded.
      let json = """
        {"steps": [{"rule": "owner", "inputs": [{"name": "key", "value": "x\\"y"}],
          "result": "none"}, {"rule": "e-mail 😀", "inputs": [], "result": ""}]}
        """
      return try decoded(Trace.self, json)
    }
  }

  /// Fails unless an event is stored unchanged, with a sequence number of its own.
  private static func expectStored(_ event: AuditEvent, in store: any AccountStore) async throws {
    let stored = try await store.read { try $0.event(event.id, in: event.scope) }
    var wanted = event
    wanted.sequence = stored?.sequence ?? 0
    try expect(stored, is: wanted, "The event")
    try expect(wanted.sequence > 0, "The event has no sequence.")
  }

  private static func fillWithEvents(_ store: any AccountStore) async throws {
    try await store.write { writer in
      try writer.append(Sample.event("1", about: "a"))
      try writer.append(Sample.event("2", about: "b", related: ["a", "b"]))
      try writer.append(Sample.event("3", about: "b"))
    }
    try await store.append(Sample.event("4", about: "c", related: ["d", "a"]))
    try await store.append(Sample.event("5"))
  }

  private static func expectEvents(
    _ store: any AccountStore, about uids: [String]?, before: Int64? = nil, limit: Int = 9,
    _ wanted: [String?]
  ) async throws {
    let accounts = uids.map { $0.map { AccountID($0) } }
    let found = try await store.read {
      try $0.events(about: accounts, before: before, limit: limit, in: Sample.scope)
    }
    try expect(found.map(\.id), is: wanted, "The list of events about \(uids ?? ["all accounts"])")
  }
}
