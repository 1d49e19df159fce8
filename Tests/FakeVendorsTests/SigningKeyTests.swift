import AuthCore
import Crypto
import CryptoExtras
import FakeVendors
import Foundation
import Testing

@Suite struct SigningKeyTests {
  let body: JSONValue = ["sub": "1", "exp": 1_750_000_000]

  @Test func `an RSA key signs what its JWK verifies`() throws {
    let key = try SigningKey.shared(keyID: "r1")
    let token = try key.jws(body)

    #expect(key.algorithm == .rs256)
    #expect(key.jwk["kty"] == "RSA")
    #expect(try PublicKeys(["keys": [key.jwk]]).verify(token))
    #expect(try claims(of: token) == body)
    #expect(key.didSign(try #require(CompactToken(token))))
  }

  @Test func `a P-256 key signs what its JWK verifies`() throws {
    let key = SigningKey.p256(keyID: "e1")
    let token = try key.jws(body)

    #expect(key.algorithm == .es256)
    #expect(key.jwk["crv"] == "P-256")
    #expect(try PublicKeys(["keys": [key.jwk]]).verify(token))
    #expect(key.didSign(try #require(CompactToken(token))))
    #expect(!SigningKey.p256(keyID: "e1").didSign(try #require(CompactToken(token))))
  }

  @Test func `shared keys are the same for a number, and others for another`() throws {
    let one = try SigningKey.shared(0, keyID: "a")
    let same = try SigningKey.shared(0, keyID: "b")
    let other = try SigningKey.shared(1, keyID: "a")

    #expect(one.jwk["n"] == same.jwk["n"])
    #expect(one.jwk["n"] != other.jwk["n"])
    #expect(one.keyID == "a")
    #expect(same.keyID == "b")
  }

  @Test func `a private key is PKCS 8, as Apple's files are`() throws {
    let key = SigningKey.p256(keyID: "FAKEKEY001")

    let read = try P256.Signing.PrivateKey(pemRepresentation: key.privateKeyPEM)

    #expect(key.privateKeyPEM.hasPrefix("-----BEGIN PRIVATE KEY-----"))
    #expect(read.publicKey.pemRepresentation == key.publicKeyPEM)
    #expect(try SigningKey.shared().privateKeyPEM.hasPrefix("-----BEGIN PRIVATE KEY-----"))
  }

  @Test func `a description shows nothing of the key`() throws {
    #expect("\(SigningKey.p256(keyID: "e1"))" == "ES256 key e1")
  }

  @Test func `a head takes any member, and loses those that are null`() throws {
    let key = SigningKey.p256(keyID: "e1")

    let token = try key.jws(body, header: ["jku": "https://a.example", "kid": .null])

    let head = try #require(CompactToken(token)?.headerMembers)
    #expect(head == ["alg": "ES256", "jku": "https://a.example", "typ": "JWT"])
  }

  @Test func `an unsecured token has no signature`() throws {
    let token = try SigningKey.shared().unsecured(body)

    #expect(token.hasSuffix("."))
    #expect(CompactToken(token)?.headerMembers?["alg"] == "none")
    #expect(try claims(of: token) == body)
  }

  @Test(arguments: SigningKey.PublicSecret.allCases)
  func `a confused token verifies with the public key as the secret`(
    _ secret: SigningKey.PublicSecret
  ) throws {
    let key = try SigningKey.shared()
    let token = try #require(CompactToken(key.confusedJWS(body, secret: secret)))
    let modulus = try _RSA.Signing.PublicKey(pemRepresentation: key.publicKeyPEM)
      .getKeyPrimitives().modulus
    let bytes = secret == .pem ? Data(key.publicKeyPEM.utf8) : modulus

    #expect(token.headerMembers?["alg"] == "HS256")
    #expect(
      HMAC<SHA256>.isValidAuthenticationCode(
        token.signature, authenticating: Data(token.signedText.utf8),
        using: SymmetricKey(data: bytes)))
  }

  @Test func `a changed token no longer verifies`() throws {
    let key = try SigningKey.shared(keyID: "r1")
    let keys = PublicKeys(["keys": [key.jwk]])
    let token = try #require(CompactToken(try key.jws(body)))

    #expect(try keys.verify(token.text))
    #expect(try !keys.verify(token.corruptingSignature().text))
    #expect(try !keys.verify(token.droppingSignature().text))
    #expect(try !keys.verify(token.replacingClaims(["sub": "2"]).text))
  }

  @Test func `a vendor without keys for an algorithm says so`() {
    let error = #expect(throws: AuthError.self) {
      try VendorKeys(name: "vendor", algorithm: .ps512).current()
    }
    #expect(error?.field == "algorithm")
  }

  @Test func `a payload may be what JSONValue cannot spell`() throws {
    let token = try SigningKey.p256(keyID: "e").jws(payload: #"{"sub":"1","sub":"2"}"#)

    #expect(CompactToken(token)?.payload == #"{"sub":"1","sub":"2"}"#)
  }

  @Test(arguments: ["", "a.b", "a.b.c.d", "%.%.%"])
  func `a text that is no token cannot be taken apart`(_ text: String) {
    #expect(CompactToken(text) == nil)
  }
}
