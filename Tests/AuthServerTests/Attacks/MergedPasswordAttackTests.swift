import AuthCore
import AuthTesting
import FakeVendors
import Testing

@testable import IdentityToolkitService

/// The passwords that a merge leaves, and the sign-ins with them afterwards.
@Suite struct `Attacks by passwords that a merge brings` {
  private static let victim = "victim@corp.example"
  private static let thief = "thief@evil.example"

  private func passwords(_ account: Account) -> [String] {
    account.identities(of: .password).map(\.key.subject)
  }

  private func reset(_ home: ServerHome, _ email: String, _ password: String) async throws -> Reply
  {
    let code = try await home.code("PASSWORD_RESET", to: email)
    return try await home.post(
      "/v1/accounts:resetPassword", ["oobCode": .string(code), "newPassword": .string(password)])
  }

  @Test(arguments: ServerMode.allCases, [true, false])
  func `S2 attack 36: no earlier credential signs in after a merge and a reset`(
    _ mode: ServerMode, _ victimStays: Bool
  ) async throws {
    try await withServer(mode) { home in
      let first = try await home.openAccount(Self.victim, password: "thief's first")
      let second = try await home.openAccount(Self.thief, password: "thief's second")
      let (absorbed, survivor) = victimStays ? (second, first) : (first, second)
      let merged = try await home.merge(absorbed.idToken, into: survivor.idToken)
      #expect(merged.status == 200, "\(merged.text)")
      #expect(try await passwords(home.stored(survivor.uid)).count == 1)

      // The address belongs to the merged account, or is free again.
      if victimStays {
        #expect(try await reset(home, Self.victim, "victim's own").status == 200)
      } else {
        _ = try await home.openAccount(Self.victim, password: "victim's own")
      }

      let entered = try await home.enter(Self.victim, "victim's own")
      #expect(entered.status == 200, "\(entered.text)")
      for (email, password) in [
        (Self.victim, "thief's first"), (Self.victim, "thief's second"),
        (Self.thief, "thief's first"),
      ] {
        #expect(try await home.enter(email, password).status == 400, "\(email) \(password)")
      }
      let thief = try await home.enter(Self.thief, "thief's second")
      #expect(thief.localID != entered.localID)
      let victim = try await home.stored(entered.text("localId"))
      #expect(passwords(victim) == [Self.victim])
    }
  }

  @Test(arguments: ServerMode.allCases)
  func `S6 attack 40: a merge squats no address for passwords, and the plan names the loss`(
    _ mode: ServerMode
  ) async throws {
    try await withServer(mode) { home in
      let thief = try await home.person(Self.thief)
      let squat = try await home.openAccount(Self.victim, password: "thief's first")
      let plan = try await home.merge(squat.idToken, into: thief.idToken, at: ServerHome.planMerge)
      #expect(plan.json["droppedIdentities"] == [.string("password/\(Self.victim)")])
      #expect(
        plan.json["notes"]?.items.contains {
          $0.stringValue?.hasPrefix("The password of \(Self.victim) goes") == true
        } == true, "\(plan.text)")

      #expect(try await home.merge(squat.idToken, into: thief.idToken).status == 200)

      #expect(try await home.enter(Self.victim, "thief's first").status == 400)
      #expect(try await home.enter(Self.thief, Person.password).localID == thief.uid)
      let owner = try await home.openAccount(Self.victim, password: "victim's own")
      #expect(owner.uid != thief.uid)
      let code = try await home.code("PASSWORD_RESET", to: Self.victim)
      #expect(!code.isEmpty)
    }
  }

  /// The ways in which the owner of an address gets a password for it.
  enum PasswordPath: String, CaseIterable, CustomTestStringConvertible {
    case update, signUp, reset, admin
    var testDescription: String { rawValue }
  }

  @Test(arguments: PasswordPath.allCases)
  func `S6 attack 40: a squatted password yields to a proof of its address`(
    _ path: PasswordPath
  ) async throws {
    try await withServer(.production) { home in
      let thief = try await home.person(Self.thief)
      let squat = try await home.openAccount(Self.victim, password: "thief's first")
      try await home.mergeAsEarlier(squat.uid, into: thief.uid)

      let link = try await home.code("EMAIL_SIGNIN", to: Self.victim)
      let owner = try await home.post(
        "/v1/accounts:signInWithEmailLink",
        ["oobCode": .string(link), "email": .string(Self.victim)])
      #expect(owner.json["isNewUser"] == true, "\(owner.text)")
      let uid = try owner.text("localId")
      let token = JSONValue.string(try owner.text("idToken"))
      let set: Reply
      switch path {
      case .update:
        set = try await home.post(
          ServerHome.update, ["idToken": token, "password": "victim's own"])
      case .signUp:
        set = try await home.post(
          ServerHome.signUp,
          ["idToken": token, "email": .string(Self.victim), "password": "victim's own"])
      case .reset: set = try await reset(home, Self.victim, "victim's own")
      case .admin: set = try await home.adminUpdate(uid, ["password": "victim's own"])
      }

      #expect(set.status == 200, "\(set.text)")
      #expect(try await home.enter(Self.victim, "victim's own").localID == uid)
      #expect(try await home.enter(Self.victim, "thief's first").status == 400)
      #expect(try await home.enter(Self.thief, Person.password).localID == thief.uid)
      #expect(try await passwords(home.stored(thief.uid)) == [Self.thief])
    }
  }

  @Test func `S6: a password of an address that another account has proven is EMAIL_EXISTS`()
    async throws
  {
    try await withServer(.production) { home in
      let ada = try await home.person(Self.victim)
      try await home.touch()
      try await home.change { $0.oneAccountPerEmail = false }
      // A second account with an unverified address, which a store may hold from before the setting.
      var second = Account(id: AccountID("second"), scope: home.scope, createdAt: home.clock.now)
      second.email = try EmailAddress(Self.victim)
      let kept = second
      try await home.graph.store.write { try $0.insert(kept) }

      let set = try await home.adminUpdate("second", ["password": "other secret"])

      expectFailure(set, "EMAIL_EXISTS")
      #expect(try await home.enter(Self.victim, Person.password).localID == ada.uid)
    }
  }

  @Test(arguments: [true, false])
  func `S8 attack 42: a second password of an earlier merge ends with a change or a reset`(
    _ isReset: Bool
  ) async throws {
    try await withServer(.production) { home in
      let ada = try await home.person("ada@example.com")
      let other = try await home.openAccount("old@example.com", password: "the old one")
      try await home.mergeAsEarlier(other.uid, into: ada.uid)
      #expect(try await home.enter("old@example.com", "the old one").localID == ada.uid)

      if isReset {
        #expect(try await reset(home, "ada@example.com", "a new one").status == 200)
      } else {
        let session = try await home.signedIn("ada@example.com")
        let changed = try await home.post(
          ServerHome.update, ["idToken": .string(session.idToken), "password": "a new one"])
        #expect(changed.status == 200, "\(changed.text)")
      }

      #expect(try await home.enter("old@example.com", "the old one").status == 400)
      #expect(try await home.enter("ada@example.com", "a new one").localID == ada.uid)
      #expect(try await passwords(home.stored(ada.uid)) == ["ada@example.com"])
    }
  }

  @Test(arguments: ServerMode.allCases)
  func `AB3: a verified address wins over an unverified one, in either direction`(
    _ mode: ServerMode
  ) async throws {
    for verifiedStays in [true, false] {
      try await withServer(mode) { home in
        let ann = try await home.person("ann@example.com")
        let bob = try await home.openAccount("bob@example.com", password: "bob's secret")
        let (absorbed, survivor) =
          verifiedStays ? (bob.idToken, ann.idToken) : (ann.idToken, bob.idToken)
        let merged = try await home.merge(absorbed, into: survivor)
        #expect(merged.status == 200, "\(merged.text)")

        let account = try await home.stored(try merged.text("localId"))
        #expect(account.email?.text == "ann@example.com")
        #expect(account.emailVerified)
        #expect(passwords(account) == ["ann@example.com"])
        #expect(
          try await home.enter("ann@example.com", Person.password).localID == account.id.rawValue)
      }
    }
  }

  @Test func `AB1: a reset after the guide's merge leaves one password and the vendor`()
    async throws
  {
    try await withFederation(.production) { home in
      let ann = try await home.server.person("ann@example.com")
      var bob = FakePerson.bo
      bob.email = "bob@example.com"
      let other = try await home.signIn(.google, bob)
      let merged = try await home.server.merge(ann.idToken, into: try other.text("idToken"))
      #expect(merged.status == 200, "\(merged.text)")
      let uid = try merged.text("localId")

      #expect(try await reset(home.server, "ann@example.com", "secret77").status == 200)

      #expect(try await home.server.enter("ann@example.com", Person.password).status == 400)
      #expect(try await home.server.enter("ann@example.com", "secret77").localID == uid)
      let again = try await home.signIn(.google, bob)
      #expect(again.localID == uid)
      #expect(try await passwords(home.server.stored(uid)) == ["ann@example.com"])
    }
  }

  @Test func `AB2: every address that signs in after a merge gets its reset mail`() async throws {
    try await withServer(.production) { home in
      let ann = try await home.person("ann@example.com")
      let link = try await home.code("EMAIL_SIGNIN", to: "bob@example.com")
      let bob = try await home.post(
        "/v1/accounts:signInWithEmailLink",
        ["oobCode": .string(link), "email": "bob@example.com"])
      let merged = try await home.merge(try bob.text("idToken"), into: ann.idToken)
      #expect(merged.status == 200, "\(merged.text)")

      #expect(try await reset(home, "bob@example.com", "secret77").status == 200)

      #expect(try await home.enter("bob@example.com", "secret77").localID == ann.uid)
      #expect(try await home.enter("ann@example.com", Person.password).status == 400)
      let account = try await home.stored(ann.uid)
      #expect(account.email?.text == "bob@example.com")
      #expect(passwords(account) == ["bob@example.com"])
      // Ann's mailbox can undo the change.
      let message = try #require(home.messages.last(to: "ann@example.com"))
      #expect(message.kind == .recoverEmail)
    }
  }
}
