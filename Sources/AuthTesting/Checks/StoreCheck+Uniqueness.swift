import AuthCore
import ProviderChecks

extension StoreCheck {
  static let uniqueness = [
    StoreCheck("a uid that is taken is refused") { store in
      try await store.insert(try Sample.account("a", email: "first@example.com"))

      try await store.expectConflict("The second account") {
        try $0.insert(try Sample.account("a"))
      }

      try expect(
        try await store.account("a")?.email?.text, is: "first@example.com", "The address")
    },
    StoreCheck("a verified address that is taken is refused also with identities") { store in
      let owner = try Sample.account("a", email: "x@example.com", verified: true)
      try await store.insert(owner)

      try await store.expectConflict("The second owner") {
        try $0.insert(
          try Sample.account(
            "b", email: "x@example.com", verified: true, identities: [Sample.identity("1")]))
      }

      try expect(try await store.account("b"), is: nil, "The second account")
    },
    StoreCheck("uids that only look the same are others, however they are asked for") { store in
      let (composed, decomposed) = ("z\u{E9}", "ze\u{301}")
      try await store.insert(try Sample.account(composed, identities: [Sample.identity("1")]))

      try await store.write { writer in
        let keys = [composed, decomposed].map { AccountKey.uid(AccountID($0)) }
        let snapshot = try writer.snapshot(SnapshotQuery(keys, in: Sample.scope))
        try expect(snapshot.accounts.count, is: 1, "The number of accounts")
        let asked = try writer.account(AccountID(composed), in: Sample.scope)
        try expect(asked?.identities.count, is: 1, "The number of identities")
        try expect(
          try writer.account(AccountID(decomposed), in: Sample.scope), is: nil, "The other account")
      }
    },
    StoreCheck("providers and subjects that only look the same are others") { store in
      let texts = ["z\u{E9}", "ze\u{301}"]
      let keys = texts.flatMap { text in
        [Sample.key(text), Sample.key("1", provider: ProviderID("oidc.\(text)"))]
      }
      for (number, key) in keys.enumerated() {
        let identity = Identity(key: key, origin: .credential, linkedAt: Sample.noon)
        try await store.insert(try Sample.account("\(number)", identities: [identity]))
      }

      for (number, key) in keys.enumerated() {
        let owner = try await store.read { try $0.owner(of: key, in: Sample.scope) }
        try expect(owner, is: AccountID("\(number)"), "The owner of identity \(number)")
      }
    },
    StoreCheck("an identity has one owner") { store in
      try await store.insert(try Sample.account("a", identities: [Sample.identity("1")]))

      try await store.expectConflict("The second owner") {
        try $0.insert(try Sample.account("b", identities: [Sample.identity("1")]))
      }

      let owner = try await store.read { try $0.owner(of: Sample.key("1"), in: Sample.scope) }
      try expect(owner, is: AccountID("a"), "The owner")
    },
    StoreCheck("an account has an identity once") { store in
      try await store.expectConflict("The second time") {
        try $0.insert(
          try Sample.account("a", identities: [Sample.identity("1"), Sample.identity("1")]))
      }

      try expect(try await store.account("a"), is: nil, "The account")
    },
    StoreCheck("equal subjects of other providers and issuers are other identities") { store in
      let identities = [
        Sample.identity("1"), Sample.identity("1", provider: .apple),
        Sample.identity("1", provider: .apple, issuer: "https://a.example"),
        Sample.identity("1", provider: .apple, issuer: "https://b.example"),
      ]
      for (index, identity) in identities.enumerated() {
        try await store.insert(try Sample.account("a\(index)", identities: [identity]))
      }

      try await store.read { reader in
        for (index, identity) in identities.enumerated() {
          try expect(
            try reader.owner(of: identity.key, in: Sample.scope), is: AccountID("a\(index)"),
            "The owner of \(identity.key)")
        }
      }
    },
    StoreCheck("subjects are compared byte by byte: case, spaces, what stands behind a NUL") {
      store in
      let subjects = ["a", "A", "a ", "a\u{0}", "a\u{0}b", "\u{E9}", "e\u{301}", "1", "01", "1.0"]
      for (index, subject) in subjects.enumerated() {
        try await store.insert(
          try Sample.account("a\(index)", identities: [Sample.identity(subject)]))
      }

      try await store.read { reader in
        for (index, subject) in subjects.enumerated() {
          try expect(
            try reader.owner(of: Sample.key(subject), in: Sample.scope), is: AccountID("a\(index)"),
            "The owner of \(String(reflecting: subject))")
        }
      }
    },
    StoreCheck("an identity may be replaced by one whose subject only looks the same") { store in
      try await store.insert(try Sample.account("a", identities: [Sample.identity("\u{E9}")]))

      try await store.change("a") { $0.identities = [Sample.identity("e\u{301}")] }

      try await store.read { reader in
        try expect(
          try reader.owner(of: Sample.key("\u{E9}"), in: Sample.scope), is: nil, "The old owner")
        try expect(
          try reader.owner(of: Sample.key("e\u{301}"), in: Sample.scope), is: AccountID("a"),
          "The owner")
      }
    },
    StoreCheck("a transaction that swallows a conflict is refused all the same") { store in
      try await store.insert(try Sample.account("a", identities: [Sample.identity("1")]))

      try await store.expectConflict("The transaction") { writer in
        let second = try Sample.account(
          "b", email: "b@example.com", verified: true,
          identities: [Sample.identity("2"), Sample.identity("1")])
        try writer.saveCheckpoint("before", "1", in: Sample.scope)
        do { try writer.insert(second) } catch is UniqueKeyConflict {}
      }

      let checkpoint = try await store.read { try $0.checkpoint("before", in: Sample.scope) }
      try expect(checkpoint, is: nil, "The checkpoint")
      try expect(try await store.account("b"), is: nil, "The refused account")
      try await store.insert(
        try Sample.account(
          "c", email: "b@example.com", verified: true, identities: [Sample.identity("2")]))
    },
    StoreCheck("a refused update leaves the account as it was") { store in
      let mine = try Sample.account(
        "b", email: "b@example.com", identities: [Sample.identity("2"), Sample.identity("3")])
      try await store.insert(
        try Sample.account("a", identities: [Sample.identity("1")]), mine)

      try await store.expectConflict("The update") { writer in
        var greedy = mine.revised(1)
        greedy.displayName = "Changed"
        greedy.identities = [Sample.identity("4"), Sample.identity("1")]
        try writer.update(greedy, replacing: mine.revised(1))
      }

      try expect(try await store.account("b"), is: mine.revised(1), "The account")
    },
    StoreCheck("an identity moves from one account to another in one transaction") { store in
      try await store.insert(
        try Sample.account("a", identities: [Sample.identity("1"), Sample.identity("2")]),
        try Sample.account("b", identities: [Sample.identity("3")]))
      let old = (a: try await store.existing("a"), b: try await store.existing("b"))

      try await store.write { writer in
        var (a, b) = old
        a.identities.removeFirst()
        b.identities.insert(Sample.identity("1"), at: 0)
        try writer.update(a, replacing: old.a)
        try writer.update(b, replacing: old.b)
      }

      let owner = try await store.read { try $0.owner(of: Sample.key("1"), in: Sample.scope) }
      try expect(owner, is: AccountID("b"), "The owner")
    },
    StoreCheck("a verified e-mail has one owner, compared in canonical form") { store in
      try await store.insert(try Sample.account("a", email: "Ada@Example.com", verified: true))

      try await store.expectConflict("The second owner") {
        try $0.insert(try Sample.account("b", email: "aDA@eXample.COM", verified: true))
      }
    },
    StoreCheck("an unverified e-mail may be shared, also with the one who verified it") { store in
      try await store.insert(
        try Sample.account("a", email: "ada@example.com"),
        try Sample.account("b", email: "ada@example.com"),
        try Sample.account("c", email: "ada@example.com", verified: true))

      let found = try await store.read {
        try $0.accountIDs(withEmail: "ada@example.com", in: Sample.scope)
      }
      try expect(found, is: ["a", "b", "c"].map { AccountID($0) }, "The list")
    },
    StoreCheck("verifying an e-mail that another account has verified is refused") { store in
      try await store.insert(
        try Sample.account("a", email: "ada@example.com", verified: true),
        try Sample.account("b", email: "ada@example.com"))
      let old = try await store.existing("b")

      try await store.expectConflict("The second owner") { writer in
        var new = old
        new.emailVerified = true
        try writer.update(new, replacing: old)
      }

      try expect(try await store.account("b"), is: old, "The account")
    },
    StoreCheck("giving up a verified e-mail frees it") { store in
      try await store.insert(try Sample.account("a", email: "ada@example.com", verified: true))

      try await store.change("a") { $0.emailVerified = false }
      try await store.insert(try Sample.account("b", email: "ada@example.com", verified: true))
      try await store.change("b") { $0.email = nil }
      try await store.change("a") { $0.emailVerified = true }

      try expect(try await store.account("a")?.emailVerified, is: true, "The flag")
    },
  ]
}
