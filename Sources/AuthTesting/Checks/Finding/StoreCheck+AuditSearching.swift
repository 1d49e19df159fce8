import AuthCore
import ProviderChecks

extension StoreCheck {
  /// The promises about conditions of events.
  static let auditSearching = [
    StoreCheck("every condition of events narrows the search") { store in
      try await fillForConditions(store)

      try await expectEvents(store, ["6", "5", "4", "3", "2", "1"]) { _ in }
      try await expectEvents(store, ["4", "1"]) { $0.action = .link }
      try await expectEvents(store, ["3", "1"]) { $0.actor = "admin:ada" }
      try await expectEvents(store, ["5"]) { $0.errorCode = "user-disabled" }
      try await expectEvents(store, ["2"]) { $0.requestID = "r\"_%\\1" }
      try await expectEvents(store, ["6"]) { $0.requestID = "r\"x%\\1" }
      try await expectEvents(store, []) { $0.requestID = "r" }
      try await expectEvents(store, ["4", "3", "1"]) { $0.accounts = [AccountID("a")] }
      try await expectEvents(store, ["4", "1"]) { filter in
        filter.accounts = [AccountID("a")]
        filter.action = .link
      }
      try await expectEvents(store, ["4", "3"]) { filter in
        filter.accounts = [AccountID("a"), AccountID("b")]
        filter.since = Sample.noon.adding(seconds: 600)
        filter.until = Sample.noon.adding(seconds: 2400)
      }
      try await expectEvents(store, []) { filter in
        filter.action = .link
        filter.errorCode = "user-disabled"
      }
      try await expectEvents(store, []) { $0.accounts = [] }
    },
    StoreCheck("events are found between two times, though clocks of servers disagree") { store in
      // Three hours; every tenth event comes from a clock that is a minute late.
      for number in 0..<180 {
        let minute = number.isMultiple(of: 10) ? number - 1 : number
        try await store.append(event("\(number)", minute: minute))
      }
      func wanted(_ minutes: Range<Int>) -> [String] {
        (0..<180).reversed().filter { minutes.contains($0.isMultiple(of: 10) ? $0 - 1 : $0) }
          .map { "\($0)" }
      }

      for (since, until) in [(0, 180), (60, 120), (179, 180), (90, 90), (175, 500), (-9, 0)] {
        try await expectEvents(store, wanted(since..<until)) { filter in
          filter.since = Sample.noon.adding(seconds: Int64(since) * 60)
          filter.until = Sample.noon.adding(seconds: Int64(until) * 60)
        }
      }
      try await expectEvents(store, []) { $0.since = Sample.noon.adding(seconds: 86_400 * 9) }
      try await expectEvents(store, []) { $0.until = Sample.noon.adding(seconds: -86_400 * 9) }
      try await expectEvents(store, ["5", "4", "3"], limit: 3, before: "6") { filter in
        filter.since = Sample.noon
      }
      try await expectEvents(store, ["179", "178"], limit: 2) { $0.action = .update }
    },
    StoreCheck("conditions of events stay in the scope") { store in
      let other = Scope(project: "other")
      try await store.append(Sample.event("1", about: "a"))
      try await store.append(Sample.event("2", in: other, about: "a"))

      try await expectEvents(store, ["1"]) { filter in
        filter.accounts = [AccountID("a")]
        filter.since = Sample.noon
        filter.actor = "admin:check"
      }
    },
  ]

  private static func event(
    _ id: String, minute: Int, actor: String = "admin:check", action: Action = .update,
    about account: String? = nil, related: [String] = [], errorCode: String? = nil,
    request: String? = nil
  ) -> AuditEvent {
    AuditEvent(
      id: id, scope: Sample.scope, at: Sample.noon.adding(seconds: Int64(minute) * 60),
      actor: actor, reason: nil, action: action, accountID: account.map { AccountID($0) },
      relatedIDs: related.map { AccountID($0) }, errorCode: errorCode,
      details: request.map { id -> JSONValue in ["client": ["requestID": .string(id)]] } ?? [:])
  }

  private static func fillForConditions(_ store: any AccountStore) async throws {
    for event in [
      event("1", minute: 0, actor: "admin:ada", action: .link, about: "a"),
      event("2", minute: 10, request: "r\"_%\\1"),
      event("3", minute: 20, actor: "admin:ada", about: "b", related: ["a"]),
      event("4", minute: 30, actor: "account:a", action: .link, about: "a"),
      event("5", minute: 40, action: .signIn, about: "b", errorCode: "user-disabled"),
      event("6", minute: 50, request: "r\"x%\\1"),
    ] { try await store.append(event) }
  }

  private static func expectEvents(
    _ store: any AccountStore, _ ids: [String], limit: Int = 500, before: String? = nil,
    _ build: @escaping @Sendable (inout EventFilter) -> Void
  ) async throws {
    try await store.read { reader in
      var filter = EventFilter()
      build(&filter)
      let last = try before.flatMap { try reader.event($0, in: Sample.scope)?.sequence }
      let found = try reader.events(
        matching: filter, before: last, limit: limit, in: Sample.scope)
      try expect(found.map(\.id), is: ids, "The list of events")
    }
  }
}
