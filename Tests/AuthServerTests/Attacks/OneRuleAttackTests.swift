import AuthCore
import AuthTesting
import FakeVendors
import Testing

@testable import IdentityToolkitService

/// One rule for every path: an operation refused on one has to be refused on the others.
@Suite struct `Attacks by the path that was forgotten` {
  /// The interfaces that merge two accounts.
  enum Face: String, CaseIterable, CustomTestStringConvertible {
    case own, ownByPolicy, admin, link
    var testDescription: String { rawValue }
  }

  @Test(arguments: Face.allCases)
  func `attack 51: a merge leaves one password and the verified address, on every face`(
    _ face: Face
  ) async throws {
    try await withFederation(.production) { home in
      let server = home.server
      let ada = try await server.person("ada@example.com")
      let bo = try await server.openAccount("bo@example.com", password: "bo's secret")
      var person = FakePerson.bo
      person.email = nil
      let linked = try await home.signIn(Federation.work, person, idToken: bo.idToken)
      #expect(linked.status == 200, "\(linked.text)")

      switch face {
      case .own:
        #expect(try await server.merge(ada.idToken, into: bo.idToken).status == 200)
      case .ownByPolicy:
        try await server.decideMerges("return merge { into = c.existing, from = c.current }")
        #expect(try await server.merge(ada.idToken, into: bo.idToken).status == 200)
      case .admin:
        let reply = try await server.admin(
          "POST", "\(server.adminRoot)/merges",
          ["keep": .string(bo.uid), "absorb": .string(ada.uid), "reason": "ticket 12"])
        #expect(reply.status == 200, "\(reply.text)")
      case .link:
        try await server.decideMerges("return merge { into = c.existing, from = c.current }")
        let reply = try await home.signIn(Federation.work, person, idToken: ada.idToken)
        #expect(reply.json["mergedFrom"] == [.string(ada.uid)], "\(reply.text)")
      }

      let account = try await server.stored(bo.uid)
      #expect(account.email?.text == "ada@example.com" && account.emailVerified)
      #expect(account.identities(of: .password).map(\.key.subject) == ["ada@example.com"])
      #expect(account.identities(of: Federation.work).count == 1)
      #expect(account.faults == [])
      #expect(try await server.enter("bo@example.com", "bo's secret").status == 400)
    }
  }

  @Test func `attack 50: an account that one provider opened without proof is not the next one's`()
    async throws
  {
    try await withFederation(.production) { home in
      try await home.trust(.google)
      // The first provider's statement about the address does not count.
      var thief = FakePerson.bo
      thief.email = "ada@example.com"
      let opened = try SignedUp(try await home.signIn(Federation.work, thief))
      home.server.clock.advance(seconds: 1)

      let owner = try SignedUp(try await home.signIn(.google, .ada))

      #expect(owner.uid == opened.uid)
      let account = try await home.server.stored(owner.uid)
      #expect(account.identities.map(\.provider) == [.google])
      let lookup = try await home.server.post("/v1/accounts:lookup", opened.session)
      #expect(lookup.message == "TOKEN_EXPIRED")
      let again = try await home.signIn(Federation.work, thief)
      #expect(again.json["idToken"] == nil, "\(again.text)")
    }
  }
}
