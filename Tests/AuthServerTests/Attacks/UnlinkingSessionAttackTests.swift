import AuthCore
import AuthTesting
import FakeVendors
import Testing

@testable import IdentityToolkitService

/// The session that unlinks its own identity, and those that are not it.
extension `Attacks by a session whose identity is gone` {
  /// Opens an account with a password, and links an identity, whose session is returned.
  private func linked(_ home: Federation) async throws -> SignedUp {
    let owner = try await home.server.person("owner@example.com")
    return try SignedUp(
      try await home.signIn(Federation.work, person("owner"), idToken: owner.idToken))
  }

  private func unlink(_ home: Federation, _ session: SignedUp) async throws {
    let reply = try await home.server.post(
      ServerHome.update,
      ["idToken": .string(session.idToken), "deleteProvider": ["oidc.work"]])
    #expect(reply.status == 200, "\(reply.text)")
    #expect(reply.json["idToken"] == nil)
  }

  /// Expects that the ID token and the refresh token are accepted, and the renewed ID token too.
  private func expectGoesOn(_ home: Federation, _ session: SignedUp) async throws {
    let lookup = try await home.server.post("/v1/accounts:lookup", session.session)
    #expect(lookup.status == 200, "\(lookup.text)")
    let renewed = try await home.server.post(
      "/v1/token",
      ["grant_type": "refresh_token", "refresh_token": .string(session.refreshToken)])
    #expect(renewed.status == 200, "\(renewed.text)")
    let token = try renewed.text("id_token")
    #expect(
      try claimsOf(token)["auth_time"] == claimsOf(session.idToken)["auth_time"])
    let again = try await home.server.post("/v1/accounts:lookup", ["idToken": .string(token)])
    #expect(again.status == 200, "\(again.text)")
  }

  @Test func `S3: the session that unlinks its own identity goes on, and no other of it`()
    async throws
  {
    try await withFederation(.production) { home in
      let owner = try await linked(home)
      home.server.clock.advance(seconds: 1)
      let thief = try SignedUp(try await home.signIn(Federation.work, person("owner")))
      let bo = try await home.server.openAccount("bo@example.com")

      try await unlink(home, owner)

      try await expectGoesOn(home, owner)
      try await expectOver(home.server, thief, beside: bo.idToken)
    }
  }

  @Test func `S3 attack 37: a session that another one unlinked does not go on with it`()
    async throws
  {
    try await withFederation(.production) { home in
      let thief = try await linked(home)
      home.server.clock.advance(seconds: 1)
      let owner = try SignedUp(try await home.signIn(Federation.work, person("owner")))
      let bo = try await home.server.openAccount("bo@example.com")
      try await unlink(home, owner)

      let again = try await home.signIn(
        Federation.work, person("owner"), idToken: owner.idToken)

      #expect(again.status == 200, "\(again.text)")
      try await expectGoesOn(home, owner)
      try await expectOver(home.server, thief, beside: bo.idToken)
    }
  }

  @Test func `S3 attack 37: an admin who unlinks the identity again ends every session of it`()
    async throws
  {
    try await withFederation(.production) { home in
      let owner = try await linked(home)
      let bo = try await home.server.openAccount("bo@example.com")
      try await unlink(home, owner)
      home.server.clock.advance(seconds: 1)
      let again = try SignedUp(
        try await home.signIn(Federation.work, person("owner"), idToken: owner.idToken))

      _ = try await home.graph.unlink(
        Federation.work, from: AccountID(owner.uid), by: home.server.admin)

      for session in [owner, again] {
        try await expectOver(home.server, session, beside: bo.idToken)
      }
    }
  }

  @Test func `S3: an end of sessions ends the one that unlinked its identity`() async throws {
    try await withFederation(.production) { home in
      let owner = try await linked(home)
      let bo = try await home.server.openAccount("bo@example.com")
      try await unlink(home, owner)
      home.server.clock.advance(seconds: 1)

      _ = try await home.graph.endWaysIn(
        ["sessions"], of: AccountID(owner.uid), by: home.server.admin)

      try await expectOver(home.server, owner, beside: bo.idToken)
    }
  }

  @Test func `S3 attack 25: the session that unlinked its identity is no more recent than before`()
    async throws
  {
    try await withFederation(.production) { home in
      let owner = try await linked(home)
      try await unlink(home, owner)
      home.server.clock.advance(seconds: 3000)

      let reply = try await home.server.post(
        ServerHome.update, ["idToken": .string(owner.idToken), "password": "another one"])

      #expect(reply.message == "CREDENTIAL_TOO_OLD_LOGIN_AGAIN", "\(reply.text)")
      try await expectGoesOn(home, owner)
    }
  }
}
