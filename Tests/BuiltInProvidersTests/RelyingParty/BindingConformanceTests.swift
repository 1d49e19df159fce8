import AuthCore
import AuthTesting
import BuiltInProviders
import Crypto
import FakeVendors
import Testing

/// The cases of OpenID's conformance profiles about nonces and hashes; ``RelyingParty`` has the list of all cases.
@Suite struct `Relying party: binding` {
  @Test(arguments: RelyingParty.Path.allCases)
  func `rp-nonce-invalid: a token for another nonce is refused`(
    path: RelyingParty.Path
  ) async throws {
    try await RelyingParty.run { party in
      for fault in [HostileToken.nonceWrong, .nonceMissing] {
        try await party.refuses(
          path, .fault(fault), field: "nonce", code: .missingOrInvalidNonce)
      }
    }
  }

  @Test func `rp-nonce-unless-code-flow: a nonce is sent in the code flow too`() async throws {
    try await RelyingParty.run { party in
      try await party.signIn(.code)
      let request = try #require(party.vendor.server.requests(to: "/authorize").first)
      #expect(request.query["nonce"]?.isEmpty == false)
      #expect(request.query["nonce"] != request.query["state"])
    }
  }

  @Test func `rp-id_token-bad-at_hash: an access token of another answer is refused`()
    async throws
  {
    try await RelyingParty.run { party in
      let other = "77QmUPtjPfzWtF2AnpK9RQ"
      for hash: JSONValue in [.string(other), "", 1] {
        try await party.refuses(.code, .claims(["at_hash": hash]), field: "at_hash")
      }
      let token = try party.vendor.idToken(
        for: .ada, nonce: RelyingParty.nonce, claims: ["at_hash": .string(other)])
      let error = try await party.provider.refusal(
        "idToken",
        [
          "idToken": token, "nonce": RelyingParty.nonce,
          "accessToken": party.vendor.accessToken(for: .ada),
        ], party.settings, at: party.clock.now)
      #expect(error.field == "at_hash")
    }
  }

  // The code flow may leave `at_hash` out (OpenID Connect Core 3.1.3.6); the subject of the profile binds the tokens.
  @Test func `rp-id_token-missing-at_hash: the access token then serves its own subject alone`()
    async throws
  {
    try await RelyingParty.run { party in
      try await party.signIn(.code, .claims(["at_hash": .null]))

      party.vendor.misbehave { $0.idTokenClaims = [:] }
      let token = try party.vendor.idToken(for: RelyingParty.quiet, nonce: RelyingParty.nonce)
      let error = try await party.provider.refusal(
        "idToken",
        [
          "idToken": token, "nonce": RelyingParty.nonce,
          "accessToken": party.vendor.accessToken(for: .bo),
        ], party.settings, at: party.clock.now)

      #expect(error.step == .profile)
      #expect(error.field == "sub")
    }
  }

  private static func leftHalf(of text: String) -> String {
    Base64.url.text(SHA256.hash(data: Array(text.utf8)).prefix(16))
  }

  /// Verifies a token that came beside a code, as in the hybrid flow.
  private func verify(
    _ token: String, beside code: String, _ party: RelyingParty
  ) async throws -> IDTokenClaims {
    let vendor = party.vendor
    let declaration = IDTokenDeclaration(
      issuers: [vendor.issuer], audiences: [FakeClient.web.id], keys: .jwks(url: vendor.keysURL),
      algorithms: [.rs256], nonce: .required, privateHosts: [vendor.server.host])
    return try await IDTokenVerifier(keys: KeyCache(transport: party.transport)).verify(
      token, by: declaration, nonce: RelyingParty.nonce, code: code, now: party.clock.now)
  }

  private func refuses(
    _ party: RelyingParty, _ claims: [String: JSONValue],
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let token = try party.vendor.idToken(for: .ada, nonce: RelyingParty.nonce, claims: claims)
    let error = await #expect(throws: AuthError.self, sourceLocation: sourceLocation) {
      try await verify(token, beside: "the-code", party)
    }
    #expect(error?.code == .invalidCredential, sourceLocation: sourceLocation)
    #expect(error?.field == "c_hash", sourceLocation: sourceLocation)
    #expect(error?.step == .token, sourceLocation: sourceLocation)
  }

  @Test func `rp-id_token-bad-c_hash: a code of another answer is refused`() async throws {
    try await RelyingParty.run { party in
      let hash: JSONValue = .string(Self.leftHalf(of: "the-code"))
      let token = try party.vendor.idToken(
        for: .ada, nonce: RelyingParty.nonce, claims: ["c_hash": hash])
      _ = try await verify(token, beside: "the-code", party)
      try await refuses(
        party, ["c_hash": .string(Self.leftHalf(of: "another-code"))])
      try await refuses(party, ["c_hash": 1])
    }
  }

  @Test func `rp-id_token-missing-c_hash: a code beside a token without c_hash is refused`()
    async throws
  {
    try await RelyingParty.run { party in try await refuses(party, [:]) }
  }
}
