import AuthCore
import AuthTesting
import FakeVendors
import Testing

/// The cases of OpenID's conformance profiles about discovery; ``RelyingParty`` has the list of all cases.
@Suite struct `Relying party: discovery` {
  @Test(arguments: ["", "/realms/work"])
  func `rp-discovery-openid-configuration: the endpoints are those of the document`(
    path: String
  ) async throws {
    try await RelyingParty.run({ $0.path = path }) { party in
      try await party.signIn(.code)

      let server = party.vendor.server
      #expect(server.requests(to: path + "/.well-known/openid-configuration").count == 1)
      for endpoint in ["/authorize", "/token", "/jwks"] {
        #expect(server.requests(to: path + endpoint).count == 1)
      }
    }
  }

  @Test func `rp-discovery-issuer-not-matching-config: a document of another issuer is refused`()
    async throws
  {
    let issuers: [JSONValue] = ["https://issuer.stranger.example", "", .null, 5]
    for issuer in issuers {
      try await RelyingParty.run { party in
        party.vendor.misbehave { $0.discovery = ["issuer": issuer] }
        let token = try party.vendor.idToken(for: .ada, nonce: RelyingParty.nonce)

        let error = try await party.provider.refusal(
          "idToken", ["idToken": token, "nonce": RelyingParty.nonce], party.settings,
          at: party.clock.now)

        #expect(error.code == .networkRequestFailed)
        #expect(error.field == "issuer")
        #expect(party.vendor.server.requests(to: "/jwks").isEmpty)
      }
    }
  }
}
