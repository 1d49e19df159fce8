import AuthCore
import AuthTesting
import Crypto
import FakeVendors
import Foundation
import SessionTokens
import Testing
import TestSupport

/// Tokens that were forged without a key of the project.
@Suite struct HostileTokenTests {
  /// A genuine token, and the published data of the key that signed it.
  private struct Material {
    let home: TokenHome
    let genuine: CompactToken
    let keyID: String
    let certificate: String
    let jwk: JSONValue

    init(_ algorithm: SigningAlgorithm) async throws {
      home = TokenHome(.signed(algorithm))
      let tokens = try await home.issue(home.account())
      genuine = try #require(CompactToken(tokens.idToken.reveal()))
      keyID = try #require(genuine.headerMembers?["kid"]?.stringValue)
      let publication = home.tokens.publication
      let set = try await publication.keySet(.idToken, project: TokenHome.project)
      guard case .array(let keys)? = set["keys"] else { throw Failed(description: "no keys") }
      jwk = try #require(keys.first)
      certificate = try #require(
        try await publication.certificates(.idToken, project: TokenHome.project)[keyID]?
          .stringValue)
      _ = try await home.verify(genuine.text)
    }

    var claims: JSONValue { genuine.claims ?? .null }

    func claims(_ changes: [String: JSONValue]) -> JSONValue {
      guard case .object(let members) = claims else { return .null }
      return .object(
        members.merging(changes) { _, changed in changed }.filter { $0.value != .null })
    }

    func isRefused(
      _ text: String, _ code: AuthError.Code = .invalidUserToken,
      at location: SourceLocation = #_sourceLocation
    ) async {
      await expect(code, at: location) { try await home.verify(text) }
    }
  }

  @Test(arguments: TokenService.algorithms)
  func `attack 16: a token without a signature is refused`(
    algorithm: SigningAlgorithm
  ) async throws {
    let material = try await Material(algorithm)
    let kid = material.keyID
    let none = ["none", "None", "NONE", "nOnE", ""].map { #"{"alg":"\#($0)","kid":"\#(kid)"}"# }

    for header in none + [#"{"kid":"\#(kid)"}"#, #"{"alg":null,"kid":"\#(kid)"}"#] {
      for signature in [[], material.genuine.signature] {
        await material.isRefused(
          CompactToken(
            header: header, payload: material.genuine.payload, signature: signature
          ).text)
      }
    }
    await material.isRefused(material.genuine.droppingSignature().text)
    await material.isRefused(
      material.genuine.text.split(separator: ".").dropLast().joined(separator: "."))
  }

  @Test(arguments: TokenService.algorithms)
  func `attack 16: a public key is no HMAC secret`(algorithm: SigningAlgorithm) async throws {
    let material = try await Material(algorithm)
    let numbers = ["n", "x"].compactMap { material.jwk[$0]?.stringValue }
    let secrets = [material.certificate, material.jwk.text] + numbers

    for name in ["HS256", "RS256", "ES256"] {
      for secret in secrets {
        let token = CompactToken(
          header: #"{"alg":"\#(name)","kid":"\#(material.keyID)","typ":"JWT"}"#,
          payload: material.genuine.payload)
        let code = HMAC<SHA256>.authenticationCode(
          for: token.signedPart, using: SymmetricKey(data: Data(secret.utf8)))
        await material.isRefused(token.replacingSignature(Array(code)).text)
      }
    }
  }

  @Test(arguments: TokenService.algorithms)
  func `attack 16: the key says how it signs, not the header`(
    algorithm: SigningAlgorithm
  ) async throws {
    let material = try await Material(algorithm)
    let other = TokenService.algorithms.first { $0 != algorithm }
    let names = [other?.rawValue, "RS384", "PS256", "ES384", "EdDSA", "rs256", "es256"]
    let stranger = SigningKey.p256(keyID: material.keyID)

    for name in names.compactMap(\.self) {
      await material.isRefused(
        CompactToken(
          header: #"{"alg":"\#(name)","kid":"\#(material.keyID)"}"#,
          payload: material.genuine.payload, signature: material.genuine.signature
        ).text)
      await material.isRefused(
        try stranger.jws(material.claims, header: ["alg": .string(name)]))
    }
  }

  @Test(arguments: TokenService.algorithms)
  func `attack 16: a token that was touched is refused`(algorithm: SigningAlgorithm) async throws {
    let material = try await Material(algorithm)
    let genuine = material.genuine

    await material.isRefused(genuine.corruptingSignature().text)
    await material.isRefused(genuine.replacingClaims(material.claims(["sub": "bo"])).text)
    await material.isRefused(
      genuine.replacingClaims(material.claims(["role": "editor"])).text)
    for signature in [[UInt8](repeating: 0, count: 64), [UInt8](repeating: 0, count: 256), [1]] {
      await material.isRefused(genuine.replacingSignature(signature).text)
    }
    for text in [
      genuine.text + ".", "." + genuine.text, genuine.text + "=", " " + genuine.text,
      genuine.text + "\n", genuine.text.replacing(".", with: ".."),
    ] {
      await material.isRefused(text)
    }
  }

  @Test func `attack 17: a key ID is a name to look up and nothing else`() async throws {
    let material = try await Material(.es256)
    let stranger = SigningKey.p256(keyID: material.keyID)
    let names: [JSONValue] = [
      "unknown", "../../../../dev/null", "", "https://stranger.example/key", .null, 5, [],
      .array([.string(material.keyID)]), .string(material.keyID + "\u{0}"),
      .string(material.keyID.uppercased()), .string(String(repeating: "a", count: 20_000)),
    ]

    await material.isRefused(try stranger.jws(material.claims))
    for name in names {
      await material.isRefused(try stranger.jws(material.claims, header: ["kid": name]))
    }
  }

  @Test func `attack 17: a token brings no key of its own`() async throws {
    let material = try await Material(.es256)
    let stranger = SigningKey.p256(keyID: material.keyID)
    let headers: [[String: JSONValue]] = [
      ["jwk": stranger.jwk], ["jku": "https://stranger.example/keys"],
      ["x5u": "https://stranger.example/certificate"], ["x5c": ["MIIB"]],
      ["jwk": stranger.jwk, "kid": .null],
    ]
    for header in headers {
      await material.isRefused(try stranger.jws(material.claims, header: header))
    }
  }

  @Test func `attack 17: a member or a claim that is there twice is refused`() async throws {
    let material = try await Material(.es256)
    let header = String(material.genuine.header.dropFirst())
    let payload = String(material.genuine.payload.dropFirst())

    for (header, payload) in [
      (#"{"kid":"x","# + header, material.genuine.payload),
      (#"{"alg":"none","# + header, material.genuine.payload),
      (material.genuine.header, #"{"sub":"bo","# + payload),
      (material.genuine.header, #"{"\u0073ub":"bo","# + payload),
    ] {
      await material.isRefused(
        CompactToken(
          header: header, payload: payload, signature: material.genuine.signature
        ).text)
    }
  }

  @Test func `a token of another project is refused`() async throws {
    let material = try await Material(.es256)
    await expect(.invalidUserToken) {
      try await material.home.verify(material.genuine.text, project: "other")
    }
    // Even if the other project has keys.
    var account = Account(
      id: AccountID("ada"), scope: Scope(project: "other"), createdAt: material.home.clock.now)
    account.lastSignInAt = material.home.clock.now
    let other = account
    try await material.home.store.write { try $0.insert(other) }
    let foreign = try await material.home.issue(other).idToken.reveal()
    await material.isRefused(foreign)
    _ = try await material.home.verify(foreign, project: "other")
    await expect(.invalidUserToken) {
      try await material.home.verify(material.genuine.text, project: "other")
    }
  }

  @Test func `a token from the future is refused, save what clocks of servers differ by`()
    async throws
  {
    let material = try await Material(.es256)
    material.home.clock.advance(seconds: -60)
    _ = try await material.home.verify(material.genuine.text)
    material.home.clock.advance(seconds: -1)
    await material.isRefused(material.genuine.text)
  }

  @Test func `an emulator's token is worth nothing elsewhere`() async throws {
    let material = try await Material(.es256)
    let unsigned = TokenHome(.unsigned, store: material.home.store)
    let tokens = try await unsigned.issue(unsigned.account("bo"))
    await material.isRefused(tokens.idToken.reveal())
    await expect(.invalidRefreshToken) {
      try await material.home.tokens.session(
        ofRefreshToken: tokens.refreshToken.reveal(), project: TokenHome.project)
    }
  }

  @Test func `a refusal shows nothing of the token`() async throws {
    let material = try await Material(.es256)
    do {
      _ = try await material.home.verify(material.genuine.corruptingSignature().text)
      Issue.record("The token was taken.")
    } catch {
      let text = String(reflecting: error)
      #expect(!text.contains(material.keyID) && !text.contains("ada"))
    }
  }
}
