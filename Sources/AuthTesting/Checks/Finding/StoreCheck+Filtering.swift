import AuthCore
import ProviderChecks

extension StoreCheck {
  /// The promises about conditions of accounts, their count and their order.
  static let filtering = [
    StoreCheck("conditions of times, flags, providers and claims narrow a search and its count") {
      store in
      try await fill(store)

      try await expectFound(store, ["2", "3", "4"]) { $0.createdSince = hour(1) }
      try await expectFound(store, ["1"]) { $0.createdBefore = hour(1) }
      try await expectFound(store, ["2"]) { filter in
        filter.createdSince = hour(1)
        filter.createdBefore = hour(2)
      }
      try await expectFound(store, ["1", "2"]) { $0.seenSince = hour(5) }
      try await expectFound(store, ["3", "4"]) { $0.notSeenSince = hour(5) }
      try await expectFound(store, ["1"]) { $0.seenSince = hour(6) }
      try await expectFound(store, ["2", "3", "4"]) { $0.notSeenSince = hour(6) }
      try await expectFound(store, ["2"]) { $0.emailVerified = true }
      try await expectFound(store, ["1", "3", "4"]) { $0.emailVerified = false }
      try await expectFound(store, ["4"]) { $0.isAnonymous = true }
      try await expectFound(store, ["1", "2", "3"]) { $0.isAnonymous = false }
    },
    StoreCheck("several providers are all, any or none of an account's") { store in
      try await fill(store)
      let (google, apple) = (ProviderID.google, ProviderID.apple)

      try await expectFound(store, ["1", "2"]) { $0.allProviders = [google] }
      try await expectFound(store, ["2"]) { $0.allProviders = [google, apple] }
      try await expectFound(store, ["1", "2", "3"]) { $0.anyProviders = [google, apple] }
      try await expectFound(store, ["4"]) { $0.noProviders = [google, apple] }
      try await expectFound(store, ["3"]) { filter in
        filter.anyProviders = [google, apple]
        filter.noProviders = [google]
      }
      try await expectFound(store, ["1"]) { filter in
        filter.providerID = google
        filter.noProviders = [apple]
      }
      try await expectFound(store, []) { filter in
        filter.allProviders = [google]
        filter.noProviders = [google]
      }
    },
    StoreCheck("claims are found by name, and by value whatever its spelling") { store in
      try await fill(store)

      try await expectFound(store, ["1", "2", "3"]) { $0.claims = ["plan": nil] }
      try await expectFound(store, ["1", "2"]) { $0.claims = ["plan": "gold"] }
      try await expectFound(store, ["2"]) { $0.claims = ["plan": "gold", "level": 3] }
      try await expectFound(store, ["3"]) { $0.claims = ["plan": .some(.null)] }
      try await expectFound(store, ["3"]) { $0.claims = ["of": ["deep": [1, true]]] }
      try await expectFound(store, []) { $0.claims = ["deep": nil] }
      try await expectFound(store, []) { $0.claims = ["plan": "GOLD"] }
      try await expectFound(store, ["2"]) { filter in
        filter.claims = ["plan": "gold"]
        filter.emailVerified = true
      }
    },
    StoreCheck("a search for claims goes on until its limit is reached") { store in
      let accounts = try (0..<1300).map { number in
        var account = try Sample.account("u\(number + 1000)")
        account.customClaims = try CustomClaims(
          number.isMultiple(of: 400) ? ["rare": true] : ["usual": true])
        return account
      }
      try await store.write { try $0.apply([.insert(accounts)], in: Sample.scope) }
      var filter = AccountFilter()
      filter.claims = ["rare": nil]
      let wanted = filter

      try await store.read { reader in
        let found = try reader.accounts(matching: wanted, after: nil, limit: 3, in: Sample.scope)
        try expect(found.map(\.id.rawValue), is: ["u1000", "u1400", "u1800"], "The first page")
        let rest = try reader.accounts(
          matching: wanted, after: found.last?.id, limit: 3, in: Sample.scope)
        try expect(rest.map(\.id.rawValue), is: ["u2200"], "The second page")
        try expect(try reader.accountCount(matching: wanted, in: Sample.scope), is: 4, "The count")
      }
    },
    StoreCheck("every order has its pages, complete and without repetition") { store in
      try await fill(store)
      // At the same time as another, so that the uid decides.
      var twin = try Sample.account("0")
      twin.createdAt = Sample.noon.adding(seconds: 3600)
      try await store.insert(twin)

      for (order, uids) in [
        (AccountFilter.Order.uid, ["0", "1", "2", "3", "4"]),
        (.newest, ["4", "3", "0", "2", "1"]), (.oldest, ["1", "0", "2", "3", "4"]),
        (.lastSeen, ["1", "2", "3", "0", "4"]),
      ] {
        var filter = AccountFilter()
        filter.order = order
        let wanted = filter
        var found: [String] = []
        var after: AccountID?
        repeat {
          let behind = after
          let page = try await store.read {
            try $0.accounts(matching: wanted, after: behind, limit: 2, in: Sample.scope)
          }
          found += page.map(\.id.rawValue)
          after = page.last?.id
        } while after != nil && found.count < 9
        try expect(found, is: uids, "The accounts in the order \(order)")
      }
    },
    StoreCheck("an order that needs an account which is gone gives nothing") { store in
      try await fill(store)

      for order in AccountFilter.Order.allCases where order != .uid {
        var filter = AccountFilter()
        filter.order = order
        let wanted = filter
        let page = try await store.read {
          try $0.accounts(
            matching: wanted, after: AccountID("gone"), limit: 9, in: Sample.scope)
        }
        try expect(page, is: [], "The page in the order \(order)")
      }
    },
  ]

  private static func hour(_ number: Int64) -> Timestamp {
    Sample.noon.adding(seconds: number * 3600)
  }

  private static func fill(_ store: any AccountStore) async throws {
    var accounts = [
      try Sample.account("1", email: "a@example.com", identities: [Sample.identity("1")]),
      try Sample.account(
        "2", email: "b@example.com", verified: true,
        identities: [Sample.identity("2"), Sample.identity("2", provider: .apple)]),
      try Sample.account("3", identities: [Sample.identity("3", provider: .apple)]),
      try Sample.account("4"),
    ]
    for index in accounts.indices {
      accounts[index].createdAt = Sample.noon.adding(seconds: Int64(index) * 3600)
    }
    accounts[0].lastSignInAt = Sample.noon.adding(seconds: 6 * 3600)
    accounts[1].lastSignInAt = Sample.noon.adding(seconds: 5 * 3600)
    accounts[2].lastSignInAt = Sample.noon.adding(seconds: 4 * 3600)
    accounts[3].isAnonymous = true
    accounts[0].customClaims = try CustomClaims(text: "{\"plan\" : \"\\u0067old\"}")
    accounts[1].customClaims = try CustomClaims(["plan": "gold", "level": 3])
    accounts[2].customClaims = try CustomClaims(["plan": .null, "of": ["deep": [1, true]]])
    for account in accounts { try await store.insert(account) }
  }

  private static func expectFound(
    _ store: any AccountStore, _ uids: [String],
    _ build: @escaping @Sendable (inout AccountFilter) -> Void
  ) async throws {
    try await store.read { reader in
      var filter = AccountFilter()
      build(&filter)
      let found = try reader.accounts(matching: filter, after: nil, limit: 10, in: Sample.scope)
      try expect(found.map(\.id.rawValue), is: uids, "The list of uids found")
      let count = try reader.accountCount(matching: filter, in: Sample.scope)
      try expect(count, is: uids.count, "The count")
    }
  }
}
