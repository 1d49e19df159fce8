import AuthCore
import ProviderChecks

private struct Abandoned: Error {}

extension StoreCheck {
  static let sessions = [
    StoreCheck("a session is kept with everything in it") { store in
      let full = SessionRecord(
        id: "digest", account: AccountID("ada"), provider: .google,
        identity: Sample.key("1\u{0}", issuer: "https://id.example/"), signedInAt: Sample.noon,
        secondFactor: SessionGrant.Factor(kind: "totp", id: "factor 1"),
        claims: ["role": "editor", "list": [1, .null, true, ["deep": "\u{0}😀"]]],
        createdAt: Sample.noon.adding(seconds: 1), mark: SessionMark(mark: 7))
      let bare = session("bare", of: "bo")
      try await store.save([full, bare])

      try expect(try await store.session("digest"), is: full, "The full session")
      try expect(try await store.session("bare"), is: bare, "The bare session")
      try expect(try await store.session("digest "), is: nil, "A session that was never kept")
    },
    StoreCheck("a session that is saved again is replaced as a whole") { store in
      try await store.save([session("1", of: "ada")])
      let other = session("1", of: "bo", claims: ["new": true])
      try await store.save([other])
      try expect(try await store.session("1"), is: other, "The replaced session")

      try await store.write { try $0.removeSessions(of: AccountID("ada"), in: Sample.scope) }

      try expect(try await store.session("1"), is: other, "The session that is no longer Ada's")
    },
    StoreCheck("a session that is removed is gone, and the others stay") { store in
      try await store.save([session("1", of: "ada"), session("2", of: "ada")])

      try await store.write { writer in
        try writer.removeSession("1", in: Sample.scope)
        try writer.removeSession("never there", in: Sample.scope)
        try expect(try writer.session("1", in: Sample.scope), is: nil, "The removed session")
      }

      try expect(try await store.session("1"), is: nil, "The removed session")
      try expect(try await store.session("2"), is: session("2", of: "ada"), "The other session")
    },
    StoreCheck("the sessions of an account go together, and no others") { store in
      let staying = [session("Ada's", of: "Ada"), session("composed", of: "\u{E9}")]
      try await store.save(
        staying + [
          session("1", of: "ada"), session("2", of: "ada"), session("decomposed", of: "e\u{301}"),
        ])

      try await store.write { writer in
        for uid in ["ada", "e\u{301}", "unknown"] {
          try writer.removeSessions(of: AccountID(uid), in: Sample.scope)
        }
      }

      for gone in ["1", "2", "decomposed"] {
        try expect(try await store.session(gone), is: nil, "The session \(gone)")
      }
      for kept in staying {
        try expect(try await store.session(kept.id), is: kept, "The session \(kept.id)")
      }
    },
    StoreCheck("sessions may be removed so that only their digests are remembered") { store in
      try await store.save([
        session("1", of: "ada"), session("2", of: "ada"), session("3", of: "bo"),
      ])
      let end = Sample.noon.adding(seconds: 60)

      try await store.write { writer in
        try writer.apply(
          ["ada", "unknown"].map { .removeSessions(of: AccountID($0), rememberedUntil: end) },
          in: Sample.scope)
      }

      try expect(try await store.session("3"), is: session("3", of: "bo"), "The other session")
      for id in ["1", "2", "3"] {
        try expect(try await store.session(id) == nil, is: id != "3", "The removal of \(id)")
        let memory = SessionRecord.memory(of: id, until: end)
        let kept = try await store.read { try $0.oneTimeRecord(memory.id, in: Sample.scope) }
        try expect(kept, is: id == "3" ? nil : memory, "The memory of \(id)")
      }
    },
    StoreCheck("the sessions of a deleted account stay until they are removed") { store in
      let account = try Sample.account("ada")
      try await store.insert(account)
      try await store.save([session("1", of: "ada")])

      try await store.write { try $0.delete(account) }

      try expect(try await store.session("1"), is: session("1", of: "ada"), "The session")
    },
    StoreCheck("sessions of other projects and tenants never meet") { store in
      let scopes = [
        Scope(project: "p"), Scope(project: "p", tenant: "t"), Scope(project: "p/t"),
        Scope(project: "P"), Scope(project: "", tenant: "p"), Scope(project: "p\u{0}", tenant: "t"),
      ]
      for scope in scopes {
        try await store.save([session("1", of: "ada", claims: .string("\(scope)"))], in: scope)
      }

      for (number, scope) in scopes.enumerated() {
        try await store.write { writer in
          if number.isMultiple(of: 2) {
            try writer.removeSession("1", in: scope)
          } else {
            try writer.removeSessions(of: AccountID("ada"), in: scope)
          }
        }
        for (other, scope) in scopes.enumerated() {
          try expect(
            try await store.session("1", in: scope)?.claims,
            is: other <= number ? nil : .string("\(scope)"), "The session of \(scope)")
        }
      }
    },
    StoreCheck("a closure that throws leaves sessions as they were") { store in
      let (kept, adas) = (session("kept", of: "bo"), session("Ada's", of: "ada"))
      try await store.save([kept, adas])
      do {
        try await store.write { writer in
          try writer.save(session("new", of: "bo"), in: Sample.scope)
          try writer.removeSession("kept", in: Sample.scope)
          try writer.removeSessions(of: AccountID("ada"), in: Sample.scope)
          throw Abandoned()
        }
        throw CheckFailure("The closure's error was swallowed.")
      } catch is Abandoned {}

      try expect(try await store.session("new"), is: nil, "The new session")
      try expect(try await store.session("kept"), is: kept, "The removed session")
      try expect(try await store.session("Ada's"), is: adas, "Ada's session")
    },
  ]

  static func session(
    _ id: String, of account: String, claims: JSONValue = .null
  ) -> SessionRecord {
    SessionRecord(
      id: id, account: AccountID(account), provider: .password, identity: nil,
      signedInAt: Sample.noon, secondFactor: nil, claims: claims, createdAt: Sample.noon)
  }
}

extension AccountStore {
  func save(_ sessions: [SessionRecord], in scope: Scope = Sample.scope) async throws {
    try await write { writer in
      for session in sessions { try writer.save(session, in: scope) }
    }
  }

  func session(_ id: String, in scope: Scope = Sample.scope) async throws -> SessionRecord? {
    try await read { try $0.session(id, in: scope) }
  }
}
