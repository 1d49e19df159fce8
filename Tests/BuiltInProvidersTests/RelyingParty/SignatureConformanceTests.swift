import AuthCore
import AuthTesting
import Crypto
import FakeVendors
import Foundation
import Testing

/// The cases of OpenID's conformance profiles about signatures; ``RelyingParty`` has the list of all cases.
@Suite struct `Relying party: signatures` {
  private func run(
    _ algorithm: SigningAlgorithm, _ body: (RelyingParty) async throws -> Void
  ) async throws {
    try await RelyingParty.run({ $0.algorithm = algorithm }, body)
  }

  @Test(arguments: RelyingParty.Path.allCases)
  func `rp-id_token-sig-rs256: a token signed with RS256 is taken`(
    path: RelyingParty.Path
  ) async throws {
    try await run(.rs256) { party in
      let identity = try await party.signIn(path)
      #expect(identity.key?.subject == FakePerson.ada.subject)
    }
  }

  @Test(arguments: RelyingParty.Path.allCases)
  func `rp-id_token-sig-es256: a token signed with ES256 is taken`(
    path: RelyingParty.Path
  ) async throws {
    try await run(.es256) { party in
      let identity = try await party.signIn(path)
      #expect(identity.key?.subject == FakePerson.ada.subject)
    }
  }

  @Test(arguments: RelyingParty.Path.allCases)
  func `rp-id_token-sig-none: an unsigned token is refused, even from the token endpoint`(
    path: RelyingParty.Path
  ) async throws {
    try await run(.rs256) { party in
      party.vendor.misbehave {
        $0.discovery = ["id_token_signing_alg_values_supported": ["none", "RS256"]]
      }
      try await party.refuses(path, .fault(.algorithmNone), field: "alg")
      try await party.refuses(path, .fault(.emptySignature), field: "idToken")
    }
  }

  @Test func `rp-id_token-sig-hs256: a token signed with the client's secret is refused`()
    async throws
  {
    try await run(.rs256) { party in
      party.vendor.misbehave {
        $0.discovery = ["id_token_signing_alg_values_supported": ["HS256", "RS256"]]
      }
      let honest = try #require(
        CompactToken(try party.vendor.idToken(for: .ada, nonce: RelyingParty.nonce)))
      let header = #"{"alg":"HS256","typ":"JWT"}"#
      let token = CompactToken(header: header, payload: honest.payload)
      let secret = SymmetricKey(data: Data((FakeClient.web.secret ?? "").utf8))
      let code = HMAC<SHA256>.authenticationCode(for: Data(token.signedText.utf8), using: secret)

      let error = try await party.provider.refusal(
        "idToken",
        ["idToken": token.replacingSignature(Array(code)).text, "nonce": RelyingParty.nonce],
        party.settings, at: party.clock.now)

      #expect(error.field == "alg")
      try await party.refuses(.code, .header(["alg": "HS256"]), field: "alg")
    }
  }

  @Test(arguments: RelyingParty.Path.allCases)
  func `rp-id_token-bad-sig-rs256: a signature that was touched is refused`(
    path: RelyingParty.Path
  ) async throws {
    try await run(.rs256) { party in
      try await party.refuses(path, .fault(.corruptedSignature), field: "idToken")
      try await party.refuses(path, .fault(.foreignSignature), field: "idToken")
    }
  }

  @Test(arguments: RelyingParty.Path.allCases)
  func `rp-id_token-bad-sig-es256: a signature that was touched is refused`(
    path: RelyingParty.Path
  ) async throws {
    try await run(.es256) { party in
      try await party.refuses(path, .fault(.corruptedSignature), field: "idToken")
    }
  }

  @Test(arguments: RelyingParty.Path.allCases)
  func `rp-id_token-bad-sig-hs256: a public key is no HMAC secret`(
    path: RelyingParty.Path
  ) async throws {
    try await run(.rs256) { party in
      try await party.refuses(path, .fault(.hs256WithPublicKey), field: "alg")
      try await party.refuses(path, .fault(.hs256WithKeyNumber), field: "alg")
    }
  }

  @Test(arguments: RelyingParty.Path.allCases)
  func `rp-id_token-bad-alg: an algorithm that the provider does not offer is refused`(
    path: RelyingParty.Path
  ) async throws {
    try await run(.es256) { party in
      party.vendor.misbehave {
        $0.discovery = ["id_token_signing_alg_values_supported": ["RS256"]]
      }
      try await party.refuses(path, .none, field: "alg")
      try await party.refuses(path, .header(["alg": .null]), field: "alg")
    }
  }
}
