import AuthCore
import FakeVendors
import Testing

/// The cases of OpenID's conformance profiles about claims; ``RelyingParty`` has the list of all cases.
@Suite struct `Relying party: claims` {
  private func refuses(
    _ lies: [RelyingParty.Lie], field: String, _ path: RelyingParty.Path,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    try await RelyingParty.run { party in
      for lie in lies {
        try await party.refuses(path, lie, field: field, sourceLocation: sourceLocation)
      }
    }
  }

  @Test(arguments: RelyingParty.Path.allCases)
  func `rp-id_token-issuer-mismatch: a token of another issuer is refused`(
    path: RelyingParty.Path
  ) async throws {
    try await RelyingParty.run { party in
      let issuer = party.vendor.issuer
      let lies: [RelyingParty.Lie] = [
        .fault(.wrongIssuer), .fault(.issuerMissing), .claims(["iss": .string(issuer + "/")]),
        .claims(["iss": .string(issuer.uppercased())]), .claims(["iss": [.string(issuer)]]),
      ]
      for lie in lies { try await party.refuses(path, lie, field: "iss") }
    }
  }

  @Test(arguments: RelyingParty.Path.allCases)
  func `rp-id_token-aud: a token for another client is refused`(
    path: RelyingParty.Path
  ) async throws {
    try await refuses(
      [
        .fault(.wrongAudience), .fault(.audienceMissing), .fault(.audienceEmpty),
        .claims(["aud": 5]), .claims(["aud": [.string(FakeClient.web.id), 5]]),
      ], field: "aud", path)
  }

  @Test(arguments: RelyingParty.Path.allCases)
  func `rp-id_token-azp: a token that another client asked for is refused`(
    path: RelyingParty.Path
  ) async throws {
    try await refuses(
      [
        .fault(.untrustedAudienceToo), .claims(["azp": .string(FakeClient.foreign.id)]),
        .claims(["azp": ""]),
        .claims(["aud": [.string(FakeClient.web.id), .string(FakeClient.foreign.id)]]),
      ], field: "azp", path)
  }

  @Test(arguments: RelyingParty.Path.allCases)
  func `rp-id_token-sub: a token without a subject is refused`(
    path: RelyingParty.Path
  ) async throws {
    try await refuses(
      [
        .fault(.subjectMissing), .fault(.subjectEmpty), .fault(.subjectNumeric),
        .claims(["sub": .string(String(repeating: "s", count: 256))]),
      ], field: "sub", path)
  }

  @Test(arguments: RelyingParty.Path.allCases)
  func `rp-id_token-iat: a token without the time of its making is refused`(
    path: RelyingParty.Path
  ) async throws {
    try await refuses(
      [
        .claims(["iat": .null]), .claims(["iat": "today"]),
        .claims(["iat": .integer(momentSeconds + 3600)]),
      ], field: "iat", path)
  }

  @Test(arguments: RelyingParty.Path.allCases)
  func `rp-id_token-exp: a token that is over, or never over, is refused`(
    path: RelyingParty.Path
  ) async throws {
    try await refuses([.fault(.expired), .fault(.expiryMissing)], field: "exp", path)
  }
}
