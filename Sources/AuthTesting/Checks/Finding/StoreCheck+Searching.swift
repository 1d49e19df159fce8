import AuthCore
import ProviderChecks

extension StoreCheck {
  static let searching = [
    StoreCheck("pages of accounts come in order of uid, complete and without repetition") { store in
      for uid in ["m", "b", "Z", "10", "9", "a", "ä"] {
        try await store.insert(try Sample.account(uid, identities: [Sample.identity(uid)]))
      }

      var pages: [[String]] = []
      var after: AccountID?
      repeat {
        let behind = after
        let page = try await store.read {
          try $0.accounts(matching: AccountFilter(), after: behind, limit: 3, in: Sample.scope)
        }
        try expect(page.allSatisfy { $0.identities.count == 1 }, "A page lacks identities.")
        pages.append(page.map(\.id.rawValue))
        after = page.last?.id
      } while after != nil

      try expect(pages, is: [["10", "9", "Z"], ["a", "b", "m"], ["ä"], []], "The list of pages")
    },
    StoreCheck("a page gives each account its own rows, whatever letters its uid has") { store in
      // Letters that stores encode, so that their rows may come in another order.
      let uids = ["a", "a\u{0}", "a\u{0}b", "a\u{1}", "a\u{1}0", "b", "\u{0}", "\u{1}0"]
      for uid in uids {
        var account = try Sample.account(
          uid,
          identities: [
            Sample.identity(uid), Sample.identity(uid, provider: ProviderID("facebook.com")),
          ])
        account.secondFactors = [
          SecondFactor(id: uid, kind: .totp, displayName: uid, enrolledAt: "2024-02-29T12:00:00Z")
        ]
        try await store.insert(account)
      }

      let found = try await store.read {
        try $0.accounts(matching: AccountFilter(), after: nil, limit: 100, in: Sample.scope)
      }

      try expect(Set(found.map(\.id.rawValue)), is: Set(uids), "The set of uids")
      for account in found {
        let uid = account.id.rawValue
        try expect(account.identities.map(\.key.subject), is: [uid, uid], "The subjects of \(uid)")
        try expect(account.secondFactors.map(\.id), is: [uid], "The second factors of \(uid)")
      }
    },
    StoreCheck("a filter compares texts byte by byte") { store in
      let texts = ["z\u{E9}", "ze\u{301}"]
      for text in texts {
        var account = try Sample.account(
          text,
          identities: [
            Sample.identity(text), Sample.identity("1", provider: ProviderID("oidc.\(text)")),
          ])
        account.displayName = text
        try await store.insert(account)
      }

      for text in texts {
        var filters = Array(repeating: AccountFilter(), count: 3)
        filters[0].subject = text
        filters[1].providerID = ProviderID("oidc.\(text)")
        filters[2].displayName = text
        for filter in filters {
          let found = try await store.read {
            try $0.accounts(matching: filter, after: nil, limit: 10, in: Sample.scope)
          }
          try expect(found.map(\.id), is: [AccountID(text)], "The accounts of one spelling")
        }
      }
    },
    StoreCheck("a limit of nothing gives nothing") { store in
      try await store.insert(
        try Sample.account("a", email: "a@example.com"),
        try Sample.account("b", email: "a@example.com"))
      try await store.append(Sample.event("e", about: "a"))

      for limit in [0, -1] {
        try await store.read { reader in
          let scope = Sample.scope
          try expect(
            try reader.accounts(matching: AccountFilter(), after: nil, limit: limit, in: scope),
            is: [], "The accounts")
          try expect(
            try reader.events(about: nil, before: nil, limit: limit, in: scope), is: [],
            "The events")
          try expect(
            try reader.events(about: [AccountID("a")], before: nil, limit: limit, in: scope),
            is: [], "The history")
          try expect(
            try reader.duplicates(by: .email, after: nil, limit: limit, in: scope), is: [],
            "The duplicates")
          try expect(try reader.outbox(after: 0, limit: limit), is: [], "The outbox")
        }
      }
    },
    StoreCheck("every condition of a filter narrows the search") { store in
      try await fillForFilters(store)

      try await expectFound(store, ["1", "2", "3", "4"]) { _ in }
      try await expectFound(store, ["1", "2"]) { $0.email = try EmailAddress("ADA@example.com") }
      try await expectFound(store, ["3"]) { $0.phoneNumber = try PhoneNumber("+15555550123") }
      try await expectFound(store, ["1", "2", "3"]) { $0.providerID = .google }
      try await expectFound(store, ["1", "4"]) { $0.subject = "s1" }
      try await expectFound(store, ["2", "3"]) { $0.displayName = "Ada" }
      try await expectFound(store, ["3", "4"]) { $0.disabled = true }
      try await expectFound(store, ["1", "2"]) { $0.disabled = false }
      try await expectFound(store, ["2"]) { filter in
        filter.email = try EmailAddress("ada@example.com")
        filter.displayName = "Ada"
        filter.providerID = .google
        filter.subject = "s2"
        filter.disabled = false
      }
      try await expectFound(store, []) { filter in
        filter.email = try EmailAddress("ada@example.com")
        filter.disabled = true
      }
    },
    StoreCheck("provider and subject of a filter mean one identity") { store in
      try await fillForFilters(store)

      try await expectFound(store, ["1"]) { filter in
        filter.providerID = .google
        filter.subject = "s1"
      }
      try await expectFound(store, []) { filter in
        filter.providerID = .google
        filter.subject = "a4"
      }
    },
    StoreCheck("a filtered search goes on behind an account too") { store in
      try await fillForFilters(store)

      let page = try await store.read { reader in
        var filter = AccountFilter()
        filter.providerID = .google
        return try reader.accounts(
          matching: filter, after: AccountID("1"), limit: 1, in: Sample.scope)
      }

      try expect(page.map(\.id), is: [AccountID("2")], "The page")
    },
    StoreCheck("accounts are found by the canonical form of an address and by number") { store in
      var third = try Sample.account("3")
      third.phoneNumber = try PhoneNumber("+4930123456")
      try await store.insert(
        try Sample.account("2", email: "Zoë@EXAMPLE.com"),
        try Sample.account("1", email: "ZOe\u{308}@example.COM"), third)

      try await store.read { reader in
        let address = try EmailAddress("zoë@example.com")
        try expect(
          try reader.accountIDs(withEmail: address.canonical, in: Sample.scope),
          is: ["1", "2"].map { AccountID($0) }, "The list by address")
        try expect(
          try reader.accountIDs(withPhone: "+4930123456", in: Sample.scope), is: [AccountID("3")],
          "The list by number")
      }
    },
    StoreCheck("an account is found by its new address and not by its old one") { store in
      try await store.insert(try Sample.account("a", email: "old@example.com"))

      try await store.change("a") { account in
        account.email = try EmailAddress("new@example.com")
        account.phoneNumber = try PhoneNumber("+15555550123")
      }

      try await store.read { reader in
        let scope = Sample.scope
        try expect(
          try reader.accountIDs(withEmail: "old@example.com", in: scope), is: [], "The old list")
        try expect(
          try reader.accountIDs(withEmail: "new@example.com", in: scope), is: [AccountID("a")],
          "The new list")
        try expect(
          try reader.accountIDs(withPhone: "+15555550123", in: scope), is: [AccountID("a")],
          "The list by number")
      }
    },
  ]

  private static func fillForFilters(_ store: any AccountStore) async throws {
    try await store.changeSettings { $0.oneAccountPerEmail = false }
    var accounts = [
      try Sample.account(
        "1", email: "Ada@example.com", verified: true, identities: [Sample.identity("s1")]),
      try Sample.account(
        "2", email: "ada@example.com", verified: true, identities: [Sample.identity("s2")]),
      try Sample.account("3", identities: [Sample.identity("s3")]),
      try Sample.account(
        "4",
        identities: [
          Sample.identity("s1", provider: .apple), Sample.identity("a4", provider: .apple),
        ]),
    ]
    accounts[1].displayName = "Ada"
    accounts[2].displayName = "Ada"
    accounts[2].phoneNumber = try PhoneNumber("+15555550123")
    accounts[2].disabled = true
    accounts[3].disabled = true
    for account in accounts { try await store.insert(account) }
  }

  private static func expectFound(
    _ store: any AccountStore, _ uids: [String],
    _ build: @escaping @Sendable (inout AccountFilter) throws -> Void
  ) async throws {
    let found = try await store.read { reader in
      var filter = AccountFilter()
      try build(&filter)
      return try reader.accounts(matching: filter, after: nil, limit: 10, in: Sample.scope)
    }
    try expect(found.map(\.id.rawValue), is: uids, "The list of uids found")
  }
}
