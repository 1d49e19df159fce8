import AuthCore
import ProviderChecks

extension StoreCheck {
  /// The promises about searches for a part of a text, and about the providers of a scope.
  static let finding = [
    StoreCheck("a search finds every text of an account by its beginning or that of a word") {
      store in
      try await fillForSearches(store)

      for (text, uids) in [
        ("haas", ["relay", "grace", "zoe"]), ("HAAS", ["relay", "grace", "zoe"]),
        ("grace.haas1647@gmail.com", ["grace"]), ("grace haas", ["grace"]),
        ("haas1647@g", ["grace"]), ("@gmail.com", ["grace"]), ("Haas, Zoe", ["zoe"]),
        ("xyz@privaterelay.appleid.com", ["relay"]), ("XYZ@priv", ["relay"]),
        ("+1 (555) 555-0123", ["zoe"]), ("0123", ["zoe"]), ("1555555", ["zoe"]),
        ("0555 555 0123", ["zoe"]), ("001 555", ["zoe"]), ("00", ["relay"]),
        ("octozoe", ["zoe"]), ("gra", ["grace"]), ("zoe", ["zoe"]),
        ("001234.abc", ["relay"]), ("001234", ["relay"]), ("001234.ABC", []),
        ("aas", []), ("com", []), ("nobody", []),
      ] {
        try await expectFound(store, text, uids)
      }
    },
    StoreCheck("a search puts the whole text before its beginning and that before a word") {
      store in
      var accounts = [
        try Sample.account("inside", email: "x.ann@example.com"),
        try Sample.account("begins", email: "anna@example.com"),
        try Sample.account("name"), try Sample.account("identity"), try Sample.account("ann"),
      ]
      accounts[2].displayName = "Ann"
      var identity = Sample.identity("1")
      identity.profile.email = "annabel@example.com"
      accounts[3].identities = [identity]
      for account in accounts { try await store.insert(account) }

      try await expectFound(store, "ann", ["name", "ann", "begins", "identity", "inside"])
      try await expectFound(store, "ann", limit: 2, ["name", "ann"])
      try await expectFound(store, "ann", limit: 0, [])
    },
    StoreCheck("a search gives as many accounts as its limit, though texts of one account repeat") {
      store in
      for number in 10..<40 {
        var account = try Sample.account("u\(number)", email: "dup\(number)@dup.example")
        account.displayName = "Dup Dup\(number)"
        account.phoneNumber = try PhoneNumber("+49\(number)")
        try await store.insert(account)
      }

      for limit in [1, 7, 29, 30, 31] {
        let search = try TextSearch("dup")
        let found = try await store.read {
          try $0.accountIDs(found: search, limit: limit, in: Sample.scope)
        }
        try expect(found.count, is: min(limit, 30), "The number of accounts")
        try expect(Set(found).count, is: found.count, "The number of different accounts")
        try expect(
          found, is: (10..<40).prefix(limit).map { AccountID("u\($0)") }, "The accounts in order")
      }
    },
    StoreCheck("a search follows every change of an account") { store in
      try await store.insert(try Sample.account("a", email: "old@example.com"))
      try await store.change("a") { account in
        account.email = try EmailAddress("new@example.com")
        account.displayName = "Grace Hopper"
        var identity = Sample.identity("1")
        identity.profile.email = "hidden@relay.example"
        account.identities = [identity]
      }
      try await expectFound(store, "old", [])
      for text in ["new", "hopper", "hidden"] { try await expectFound(store, text, ["a"]) }

      try await store.change("a") { account in
        account.displayName = nil
        account.identities = []
      }
      try await expectFound(store, "hopper", [])
      try await expectFound(store, "hidden", [])

      let account = try await store.existing("a")
      try await store.write { try $0.delete(account) }
      try await expectFound(store, "new", [])
      try await store.insert(try Sample.account("a", email: "new@example.com"))
      try await expectFound(store, "new", ["a"])
    },
    StoreCheck("a change that is taken back changes no search") { store in
      try await store.insert(try Sample.account("a", email: "old@example.com"))

      try await store.transact(.change) { writer -> Ending<Void> in
        let old = try writer.account(AccountID("a"), in: Sample.scope)
        guard let old else { throw CheckFailure("The account is gone.") }
        var new = old
        new.email = try EmailAddress("new@example.com")
        try writer.update(new, replacing: old)
        return .takeBack(())
      }

      try await expectFound(store, "old", ["a"])
      try await expectFound(store, "new", [])
    },
    StoreCheck("accounts that are added together are found") { store in
      let accounts = try (0..<400).map { number in
        var account = try Sample.account(
          "u\(number)", email: "person\(number).x@example.com",
          identities: [Sample.identity("s\(number)")])
        account.displayName = "Number \(number)"
        return account
      }

      try await store.write { try $0.apply([.insert(accounts.reversed())], in: Sample.scope) }

      try await expectFound(store, "person123", ["u123"])
      try await expectFound(store, "number 399", ["u399"])
      try await expectFound(store, "s77", ["u77"])
    },
    StoreCheck("a search stays in its scope, and ends with the accounts of it") { store in
      let other = Scope(project: Sample.scope.project, tenant: "t")
      try await store.insert(
        try Sample.account("a", email: "ada@example.com"),
        try Sample.account("b", in: other, email: "ada@example.com"))
      try await expectFound(store, "ada", ["a"])

      try await store.write { try $0.apply([.deleteAccounts], in: Sample.scope) }
      try await expectFound(store, "ada", [])
      try await expectFound(store, "ada", in: other, ["b"])

      try await store.write { try $0.apply([.deleteScope], in: other) }
      try await expectFound(store, "ada", in: other, [])
    },
    StoreCheck("a search compares every letter and no wildcard") { store in
      let names = ["Jos\u{E9} \u{D8}st", "Jose\u{301}phine", "100% sure", "a_b", "\u{0}nul end"]
      for (number, name) in names.enumerated() {
        var account = try Sample.account("u\(number)")
        account.displayName = name
        try await store.insert(account)
      }

      try await expectFound(store, "jose", ["u0", "u1"])
      try await expectFound(store, "JOS\u{C9}", ["u0", "u1"])
      try await expectFound(store, "ost", ["u0"])
      try await expectFound(store, "100%", ["u2"])
      try await expectFound(store, "a%", ["u3"])
      try await expectFound(store, "nul", ["u4"])
      try await expectFound(store, "x%", [])
    },
    StoreCheck("texts of any length and letters are written, searched and removed") { store in
      for (number, text) in Sample.hardTexts.enumerated() {
        try await store.insert(
          try Sample.account("u\(number)", with: text, subject: "s\(number)"))
      }
      for number in Sample.hardTexts.indices {
        let account = try await store.existing("u\(number)")
        // Digits among other letters are no number to search for.
        for term in account.searchTerms where term.place / 2 != SearchTerm.Source.phone.rawValue {
          let search = try TextSearch(term.text)
          let found = try await store.read {
            try $0.accountIDs(found: search, limit: 99, in: Sample.scope)
          }
          try expect(found.contains(account.id), "\(term.text) does not find \(account.id).")
        }
        try await store.write { try $0.delete(account) }
      }
    },
    StoreCheck("the providers of a scope come with the number of their accounts") { store in
      let google = Sample.identity("1")
      try await store.insert(
        try Sample.account("a", identities: [google, Sample.identity("2")]),
        try Sample.account(
          "b", identities: [Sample.identity("3"), Sample.identity("4", provider: .apple)]),
        try Sample.account("c"))

      let found = try await store.read { try $0.providers(in: Sample.scope) }
      let empty = try await store.read { try $0.providers(in: Scope(project: "empty")) }

      try expect(
        found,
        is: [
          ProviderUse(provider: .apple, accounts: 1), ProviderUse(provider: .google, accounts: 2),
        ], "The providers")
      try expect(empty, is: [], "The providers of an empty scope")
    },
  ]

  private static func fillForSearches(_ store: any AccountStore) async throws {
    var grace = try Sample.account("grace", email: "grace.haas1647@gmail.com")
    grace.displayName = "Grace Haas"
    var relay = try Sample.account("relay", email: "other@haas.example")
    var apple = Sample.identity("001234.abc", provider: .apple)
    apple.profile.email = "xyz@privaterelay.appleid.com"
    relay.identities = [apple]
    var zoe = try Sample.account("zoe")
    zoe.displayName = "Zoë Haas"
    zoe.phoneNumber = try PhoneNumber("+15555550123")
    var github = Sample.identity("583231", provider: ProviderID("github.com"))
    github.profile.screenName = "octozoe"
    zoe.identities = [github]
    try await store.insert(grace, relay, zoe)
  }

  private static func expectFound(
    _ store: any AccountStore, _ text: String, limit: Int = 10, in scope: Scope = Sample.scope,
    _ uids: [String]
  ) async throws {
    let search = try TextSearch(text)
    let found = try await store.read {
      try $0.accountIDs(found: search, limit: limit, in: scope)
    }
    try expect(found.map(\.rawValue), is: uids, "The accounts found by \(text)")
  }
}
