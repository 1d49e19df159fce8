import AuthCore
import ProviderChecks

extension StoreCheck {
  static let records = [
    StoreCheck("every field of an account comes back as it was") { store in
      let full = try Sample.fullAccount()
      // A field with its default value would seem stored even by a store without a place for it.
      try expect(try full.unfilledFields(), is: [], "The fields that the sample leaves out")

      try await store.insert(full)

      try expect(try await store.account("full"), is: full.revised(1), "The account")
    },
    StoreCheck("an account without anything comes back without anything") { store in
      let bare = try Sample.account("bare")

      try await store.insert(bare)

      try expect(try await store.account("bare"), is: bare.revised(1), "The account")
    },
    StoreCheck("hard texts come back byte by byte: empty, NUL, quotes, emoji, two forms of é") {
      store in
      for (index, text) in Sample.hardTexts.enumerated() {
        let account = try Sample.account("a\(index)", with: text, subject: "\(index)\(text)")
        try await store.insert(account)

        let stored = try await store.account("a\(index)")

        try expect(stored, is: account.revised(1), "The account")
        try expect(
          Array(stored?.displayName?.utf8 ?? "lost".utf8), is: Array(text.utf8), "The text")
        try expect(
          Array(stored?.identities.first?.key.subject.utf8 ?? "lost".utf8),
          is: Array("\(index)\(text)".utf8), "The subject")
      }
    },
    StoreCheck("a uid may have any characters") { store in
      for uid in ["o'hara", "näm€ 😀", "a\u{0}b", "a", "%_", "1"] {
        try await store.insert(try Sample.account(uid))

        try expect(try await store.account(uid)?.id.rawValue, is: uid, "The uid")
      }
      try expect(
        try await store.read { try $0.accountCount(in: Sample.scope) }, is: 6, "The count")
    },
    StoreCheck("nil and the empty text stay different") { store in
      var empty = try Sample.account("empty")
      empty.displayName = ""
      empty.photoURL = ""
      try await store.insert(empty, try Sample.account("none"))

      try expect(try await store.account("empty")?.displayName, is: "", "The empty name")
      try expect(try await store.account("none")?.displayName, is: nil, "The absent name")
    },
    StoreCheck("each detail of an account is kept and forgotten by itself") { store in
      let changes: [@Sendable (inout AccountDetails) throws -> Void] = [
        { $0.initialEmail = try EmailAddress("Old@Example.com") }, { $0.usedCustomToken = true },
        { $0.lastRefreshAt = Sample.noon }, { $0.screenName = "" }, { $0.language = "x" },
        { $0.timeZone = "y" }, { $0.dateOfBirth = "z" },
      ]
      try await store.insert(try Sample.account("a"))
      for change in changes {
        var wanted = AccountDetails()
        try change(&wanted)
        let details = wanted
        try await store.change("a") { $0.details = details }
        try expect(try await store.account("a")?.details, is: details, "The details")
        try await store.change("a") { $0.details = AccountDetails() }
        try expect(try await store.account("a")?.details, is: AccountDetails(), "The details")
      }
    },
    StoreCheck("custom claims keep the text they were given as") { store in
      let text = "{\"b\":1.0,  \"a\":[true,null]}"
      var account = try Sample.account("a")
      account.customClaims = try CustomClaims(text: text)

      try await store.insert(account)

      try expect(try await store.account("a")?.customClaims?.text, is: text, "The text")
    },
    StoreCheck("claims that are longer than they may be now are read as they were kept") { store in
      let text = "{\"a\":\"e" + String(repeating: "\u{301}", count: 5000) + "\"}"
      var account = try Sample.account("a")
      account.customClaims = try CustomClaims(stored: text)

      try await store.insert(account)

      try expect(try await store.account("a")?.customClaims?.text, is: text, "The text")
    },
    StoreCheck("a new account has revision 1, and every update adds one") { store in
      try await store.insert(try Sample.account("a").revised(7))
      try expect(try await store.account("a")?.revision, is: 1, "The first revision")

      for revision in Int64(2)...4 {
        try await store.change("a") { $0.displayName = "Name \($0.revision)" }
        try expect(try await store.account("a")?.revision, is: revision, "The revision")
      }
    },
    StoreCheck("an update replaces every field that differs") { store in
      try await store.insert(try Sample.account("full"))
      let full = try Sample.fullAccount()

      try await store.write {
        try $0.update(full, replacing: try Sample.account("full").revised(1))
      }
      try expect(try await store.account("full"), is: full.revised(2), "The filled account")

      let bare = try Sample.account("full")
      try await store.write { try $0.update(bare, replacing: full.revised(2)) }
      try expect(try await store.account("full"), is: bare.revised(3), "The emptied account")
    },
    StoreCheck("identities keep their order, whatever is added, moved or removed") { store in
      let all = ["d", "a", "c", "b", "e"].map { Sample.identity($0) }
      try await store.insert(try Sample.account("a", identities: all))
      let orders = [
        [0, 1, 2, 3, 4], [4, 3, 2, 1, 0], [4, 2, 1], [2, 4], [0, 2, 3, 4], [3, 2], [], [1, 0],
      ]
      for order in orders {
        let identities = order.map { all[$0] }

        try await store.change("a") { $0.identities = identities }

        try expect(try await store.account("a")?.identities, is: identities, "The list")
      }
    },
    StoreCheck("an identity's profile, times and secret change in place") { store in
      try await store.insert(
        try Sample.account("a", identities: [Sample.identity("1"), Sample.identity("2")]))

      try await store.change("a") { account in
        account.identities[1].profile.displayName = "New"
        account.identities[1].emailVerified = true
        account.identities[1].lastSignInAt = Sample.noon.adding(seconds: 9)
        account.identities[1].secret = StoredSecret(encoded: "x", changedAt: Sample.noon)
      }

      let stored = try await store.existing("a")
      try expect(stored.identities[0], is: Sample.identity("1"), "The other identity")
      try expect(stored.identities[1].profile.displayName, is: "New", "The name")
      try expect(stored.identities[1].secret?.encoded, is: "x", "The secret")
      try expect(
        stored.identities[1].lastSignInAt, is: Sample.noon.adding(seconds: 9), "The time")
    },
    StoreCheck("second factors keep their order and their secrets") { store in
      let factors = try Sample.fullAccount().secondFactors
      try await store.insert(try Sample.account("a"))

      try await store.change("a") { $0.secondFactors = factors }
      try expect(try await store.account("a")?.secondFactors, is: factors, "The list")

      try await store.change("a") { $0.secondFactors = factors.reversed() }
      try expect(try await store.account("a")?.secondFactors, is: factors.reversed(), "The list")
    },
    StoreCheck("an update computed from an older revision is refused and changes nothing") {
      store in
      try await store.insert(try Sample.account("a", identities: [Sample.identity("1")]))
      let old = try await store.existing("a")
      try await store.change("a") { $0.displayName = "First" }
      try await store.expectConflict("The late update") { writer in
        var late = old
        late.displayName = "Late"
        late.identities = [Sample.identity("2")]
        try writer.update(late, replacing: old)
      }

      let stored = try await store.existing("a")
      try expect(stored.displayName, is: "First", "The name")
      try expect(stored.identities, is: [Sample.identity("1")], "The list of identities")
    },
    StoreCheck("an update of an account that is gone is refused") { store in
      let gone = try Sample.account("gone").revised(1)

      try await store.expectConflict("The update") { try $0.update(gone, replacing: gone) }

      try expect(try await store.account("gone"), is: nil, "The account")
    },
    StoreCheck("a deleted account is gone with its identities, address, number and uid") { store in
      let full = try Sample.fullAccount()
      try await store.insert(full)

      try await store.write { try $0.delete(full) }

      try expect(try await store.account("full"), is: nil, "The account")
      try await store.read { reader in
        for identity in full.identities {
          try expect(
            try reader.owner(of: identity.key, in: Sample.scope), is: nil, "The owner")
        }
        let found = try reader.accountIDs(withEmail: full.email?.canonical ?? "", in: Sample.scope)
        try expect(found, is: [], "The list of accounts with the address")
      }
      try await store.insert(full)
      try expect(try await store.account("full"), is: full.revised(1), "The new account")
    },
    StoreCheck("a missing record is nil, not an error") { store in
      try await store.read { reader in
        let scope = Sample.scope
        try expect(try reader.account(AccountID("x"), in: scope), is: nil, "An account")
        try expect(try reader.survivor(of: AccountID("x"), in: scope), is: nil, "A survivor")
        try expect(try reader.aliases(of: AccountID("x"), in: scope), is: [], "Aliases")
        try expect(try reader.owner(of: Sample.key("x"), in: scope), is: nil, "An owner")
        try expect(try reader.event("x", in: scope), is: nil, "An event")
        try expect(try reader.merge("x", in: scope), is: nil, "A merge")
        try expect(try reader.checkpoint("x", in: scope), is: nil, "A checkpoint")
        try expect(try reader.accountCount(in: scope), is: 0, "The count")
      }
    },
  ]
}
