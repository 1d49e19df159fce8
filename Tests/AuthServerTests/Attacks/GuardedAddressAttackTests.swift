import AuthCore
import AuthTesting
import FakeVendors
import Testing

@testable import IdentityToolkitService

/// A second factor that protects a stranger's address.
@Suite struct `Attacks by a second factor before a stranger's address` {
  private static let victim = "victim@corp.example"
  private static let number = "+15555550100"

  /// Returns a thief's account with the thief's phone as its second factor, and without the address that it had
  /// taken.
  private func thief(_ home: Federation) async throws -> Reply {
    try await home.trust(Federation.work)
    var person = FakePerson.bo
    person.email = "thief@evil.example"
    let entered = try await home.signIn(Federation.work, person)
    try #require(entered.status == 200, "\(entered.text)")
    let enrolled = try await home.server.enroll(Self.number, try entered.text("idToken"))
    home.server.clock.advance(seconds: 1)
    let left = try await home.server.post(
      ServerHome.update,
      ["idToken": .string(try enrolled.text("idToken")), "deleteAttribute": ["EMAIL"]])
    try #require(left.status == 200, "\(left.text)")
    return left
  }

  @Test(arguments: [true, false])
  func `S7 attack 41: a merge puts no unverified address behind a second factor`(
    _ thiefStays: Bool
  ) async throws {
    try await withFederation(.production) { home in
      let thief = try await thief(home)
      let squat = try await home.server.openAccount(Self.victim, password: "thief's first")
      let (absorbed, survivor) =
        thiefStays
        ? (squat.idToken, try thief.text("idToken")) : (try thief.text("idToken"), squat.idToken)

      let merged = try await home.server.merge(absorbed, into: survivor)

      #expect(merged.status == 200, "\(merged.text)")
      let account = try await home.server.stored(try merged.text("localId"))
      #expect(account.email == nil)
      #expect(account.secondFactors.count == 1)
      #expect(account.identities.map(\.provider) == [Federation.work])
      let owner = try await home.server.openAccount(Self.victim, password: "victim's own")
      #expect(owner.uid != account.id.rawValue)
    }
  }

  @Test func `S7 attack 41: a policy that wants the address is refused`() async throws {
    try await withFederation(.production) { home in
      let thief = try await thief(home)
      let squat = try await home.server.openAccount(Self.victim, password: "thief's first")
      try await home.server.decideMerges(
        "return merge { into = c.existing, from = c.current, fields = { email = \"theirs\" } }")

      let merged = try await home.server.merge(
        squat.idToken, into: try thief.text("idToken"))

      #expect(merged.message?.hasPrefix("MERGE_REFUSED") == true, "\(merged.text)")
      #expect(try await home.accountCount() == 2)
    }
  }

  /// The proofs of an address through its mailbox.
  enum Proof: String, CaseIterable, CustomTestStringConvertible {
    case reset, link
    var testDescription: String { rawValue }
  }

  @Test(arguments: Proof.allCases)
  func `S7 attack 41: a factor from before the proof of the address goes with the rest`(
    _ proof: Proof
  ) async throws {
    try await withFederation(.production) { home in
      let server = home.server
      let enrolled = try await thief(home)
      let uid = try #require(try claimsOf(enrolled.text("idToken"))["user_id"]?.stringValue)
      let squat = try await server.openAccount(Self.victim, password: "thief's first")
      try await server.mergeAsEarlier(squat.uid, into: uid, email: (Self.victim, verified: false))

      let entered: Reply
      switch proof {
      case .reset:
        let code = try await server.code("PASSWORD_RESET", to: Self.victim)
        let reset = try await server.post(
          "/v1/accounts:resetPassword",
          ["oobCode": .string(code), "newPassword": "victim's own"])
        #expect(reset.status == 200, "\(reset.text)")
        entered = try await server.enter(Self.victim, "victim's own")
      case .link:
        let code = try await server.code("EMAIL_SIGNIN", to: Self.victim)
        entered = try await server.post(
          "/v1/accounts:signInWithEmailLink",
          ["oobCode": .string(code), "email": .string(Self.victim)])
      }

      #expect(entered.json["idToken"] != nil, "\(entered.text)")
      let account = try await server.stored(try entered.text("localId"))
      #expect(account.secondFactors.isEmpty)
      #expect(account.emailVerified)
      #expect(account.identities.count == 1)
      let token = try enrolled.text("idToken")
      #expect(
        try await server.post("/v1/accounts:lookup", ["idToken": .string(token)]).message
          == "TOKEN_EXPIRED")
      #expect(try await server.enter(Self.victim, "thief's first").status == 400)
    }
  }

  @Test func `S7: an admin puts no unverified address behind a second factor by a slip`()
    async throws
  {
    try await withFederation(.production) { home in
      let id = try await home.guardedAccount(email: "ada@example.com")

      let moved = try await home.server.adminUpdate(id.rawValue, ["email": "new@example.com"])
      let proven = try await home.server.adminUpdate(
        id.rawValue, ["email": "new@example.com", "emailVerified": true])

      #expect(moved.status == 400, "\(moved.text)")
      #expect(proven.status == 200, "\(proven.text)")
      #expect(try await home.stored(id).secondFactors.count == 1)
    }
  }
}
