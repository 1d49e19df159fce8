import AuthCore
import ProviderChecks

/// Returns an identity that replaced others, each of which may have replaced others too.
func replacing(_ subject: String, _ old: [Identity]) -> Identity {
  var identity = Sample.identity(subject)
  identity.predecessors = old.enumerated().map { index, old in
    Predecessor(
      identity: old, rekey: "rekey-\(index)", until: Sample.noon.adding(seconds: Int64(index)),
      place: index == 0 ? nil : index)
  }
  return identity
}

extension StoreCheck {
  static let predecessors = [
    StoreCheck("replaced identities come back as they were, at any depth and in order") { store in
      var old = Sample.identity("old", provider: .apple, issuer: "https://a.example")
      old.profile = IdentityProfile(email: "x@example.com", displayName: "a\u{0}b")
      old.secret = StoredSecret(encoded: "s", changedAt: Sample.noon)
      old.lastSignInAt = Sample.noon
      let deep = replacing("b", [replacing("a", [old]), Sample.identity("c")])
      let account = try Sample.account(
        "a", identities: [Sample.identity("0"), deep, replacing("d", [Sample.identity("e")])])

      try await store.insert(account)

      try expect(try await store.account("a"), is: account.revised(1), "The account")
    },
    StoreCheck("replaced identities follow an identity that is added, moved, replaced or restored")
    {
      store in
      let (a, b, c) = (Sample.identity("a"), Sample.identity("b"), Sample.identity("c"))
      try await store.insert(try Sample.account("a", identities: [a, b, c]))
      let states = [
        [replacing("n", [a]), b, c], [replacing("n", [a]), replacing("m", [b]), c],
        [c, replacing("m", [b]), replacing("n", [a])], [replacing("k", [replacing("m", [b])])],
        [replacing("m", [b]), a], [replacing("m", [a, b])], [a, b, c], [replacing("a", [c])],
        [replacing("c", [a])], [],
      ]
      for identities in states {
        try await store.change("a") { $0.identities = identities }

        try expect(try await store.account("a")?.identities, is: identities, "The list")
        for key in identities.flatMap(\.keys) {
          try expect(
            try await store.read { try $0.owner(of: key, in: Sample.scope) }, is: AccountID("a"),
            "The owner of \(key)")
        }
      }
    },
    StoreCheck("a replaced key keeps its owner, and no other account gets it") { store in
      try await store.insert(
        try Sample.account("a", identities: [replacing("new", [Sample.identity("old")])]),
        try Sample.account("c", identities: [Sample.identity("3")]))

      let old = try await store.existing("c")
      for taken in [Sample.identity("old"), replacing("free", [Sample.identity("old")])] {
        try await store.expectConflict("The second owner") {
          try $0.insert(try Sample.account("b", identities: [taken]))
        }
        try await store.expectConflict("The second owner by a change") {
          var new = old
          new.identities.append(taken)
          try $0.update(new, replacing: old)
        }
      }
      try await store.expectConflict("A replaced identity with another account's key") {
        try $0.insert(
          try Sample.account("b", identities: [replacing("free", [Sample.identity("3")])]))
      }

      let owner = try await store.read { try $0.owner(of: Sample.key("old"), in: Sample.scope) }
      try expect(owner, is: AccountID("a"), "The owner")
      try expect(try await store.account("c"), is: old, "The account that was refused")
    },
    StoreCheck("an account has a key once, replaced or not") { store in
      for identities in [
        [Sample.identity("1"), replacing("2", [Sample.identity("1")])],
        [replacing("1", [Sample.identity("1")])],
        [replacing("2", [Sample.identity("1"), Sample.identity("1")])],
      ] {
        try await store.expectConflict("The second time") {
          try $0.insert(try Sample.account("a", identities: identities))
        }
      }
    },
    StoreCheck("a replaced key is free once it is forgotten or its account is gone") {
      store in
      let old = Sample.identity("old")
      try await store.insert(try Sample.account("a", identities: [replacing("new", [old])]))
      try await store.change("a") { $0.identities[0].predecessors = [] }
      try await store.insert(try Sample.account("b", identities: [replacing("other", [old])]))
      try await store.write { writer in
        guard let account = try writer.account(AccountID("b"), in: Sample.scope) else { return }
        try writer.delete(account)
      }
      try await store.insert(try Sample.account("c", identities: [old]))
    },
    StoreCheck("accounts are found by the provider and subject of an identity that was replaced") {
      store in
      let old = Sample.identity("old", provider: .apple)
      try await store.insert(try Sample.account("a", identities: [replacing("new", [old])]))
      for (provider, subject, count) in [
        (ProviderID.apple, "old", 1), (.google, "new", 1), (.apple, nil, 1), (.google, nil, 1),
        (.apple, "new", 0), (.google, "old", 0),
      ] as [(ProviderID, String?, Int)] {
        var filter = AccountFilter()
        filter.providerID = provider
        filter.subject = subject
        let wanted = filter
        let found = try await store.read {
          try $0.accounts(matching: wanted, after: nil, limit: 9, in: Sample.scope)
        }
        try expect(found.count, is: count, "Accounts with \(provider)/\(subject ?? "any")")
      }
    },
  ]
}
