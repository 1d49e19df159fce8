import AuthCore
import Testing

@testable import Tokens

@Suite struct `Signing keys` {
  private static let claims: JSONValue = ["sub": "ada"]

  private static func keys() throws -> [SigningKey] {
    try [.p256(keyID: "k"), SigningKey(IssuerKey.rsaPair, keyID: "k")]
  }

  @Test func `a token is checked with the key's own JWK and PEM`() async throws {
    for key in try Self.keys() {
      var bench = TokenBench([key.jwk])
      let token = try key.sign(try JSONValue(text: bench.claims()))
      _ = try await bench.verify(token)
      bench.declaration.keys = .fixed([key.publicKeyPEM])
      _ = try await bench.verify(token)
    }
  }

  @Test func `a key is read from its own PEM, and from no other text`() throws {
    for key in try Self.keys() {
      let read = try #require(SigningKey(pem: key.privateKeyPEM, keyID: "k"))
      #expect(read.jwk == key.jwk)
      #expect(read.didSign(try #require(CompactToken(try key.sign(Self.claims)))))
    }
    #expect(SigningKey(pem: SigningKey.p256(keyID: "").publicKeyPEM) == nil)
    let error = #expect(throws: AuthError.self) {
      try SigningKey(pem: Secret("no key"), field: "privateKey")
    }
    #expect(error?.code == .operationNotAllowed)
    #expect(error?.field == "privateKey")
    #expect(error?.debugDescription.contains("no key") == false)
  }

  @Test func `a header has the key ID only if there is one`() throws {
    let key = SigningKey.p256(keyID: "")
    func header(_ token: String) -> JSONValue? { CompactToken(token)?.headerMembers }

    #expect(header(try key.sign(Self.claims)) == ["alg": "ES256", "typ": "JWT"])
    #expect(
      header(try key.sign(Self.claims, keyID: "k")) == ["alg": "ES256", "kid": "k", "typ": "JWT"])
    #expect(key.jwk["kid"] == nil)
  }

  @Test func `attack 16: another key's signature is not the key's`() throws {
    let keys = try Self.keys() + [.p256(keyID: "k")]
    for (place, key) in keys.enumerated() {
      let token = try #require(CompactToken(try key.sign(Self.claims)))
      for (other, stranger) in keys.enumerated() {
        #expect(stranger.didSign(token) == (place == other))
      }
    }
  }
}
