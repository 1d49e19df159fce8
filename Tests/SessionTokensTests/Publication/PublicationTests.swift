import AuthCore
import AuthTesting
import Crypto
import CryptoExtras
import FakeVendors
import Foundation
import SessionTokens
import SwiftASN1
import Testing
import X509

@Suite struct PublicationTests {
  @Test(arguments: TokenService.algorithms)
  func `a certificate's key verifies a token`(algorithm: SigningAlgorithm) async throws {
    let home = TokenHome(.signed(algorithm))
    let tokens = try await home.issue(home.account())
    let token = try #require(CompactToken(tokens.idToken.reveal()))
    let published = try await home.tokens.publication.certificates(
      .idToken, project: TokenHome.project)
    let keyID = try #require(token.headerMembers?["kid"]?.stringValue)
    let pem = try #require(published[keyID]?.stringValue)

    let certificate = try Certificate(pemEncoded: pem)

    #expect(certificate.publicKey.isValidSignature(certificate.signature, for: certificate))
    #expect(certificate.subject.description.contains("securetoken"))
    #expect(certificate.issuer == certificate.subject)
    #expect(certificate.notValidBefore <= Date(timeIntervalSince1970: 1_750_000_000))
    let bytes = Data(token.signedText.utf8)
    switch algorithm {
    case .rs256:
      let key = try #require(_RSA.Signing.PublicKey(certificate.publicKey))
      #expect(key.keySizeInBits == 2048)
      #expect(
        key.isValidSignature(
          _RSA.Signing.RSASignature(rawRepresentation: token.signature),
          for: SHA256.hash(data: bytes), padding: .insecurePKCS1v1_5))
    case .es256:
      let key = try #require(P256.Signing.PublicKey(certificate.publicKey))
      #expect(
        key.isValidSignature(
          try P256.Signing.ECDSASignature(rawRepresentation: token.signature), for: bytes))
    default: Issue.record("There are no such keys.")
    }
  }

  @Test(arguments: TokenService.algorithms)
  func `a key of the set verifies a token, and nothing private is in it`(
    algorithm: SigningAlgorithm
  ) async throws {
    let home = TokenHome(.signed(algorithm))
    let tokens = try await home.issue(home.account())
    let token = try #require(CompactToken(tokens.idToken.reveal()))
    let set = try await home.tokens.publication.keySet(.idToken, project: TokenHome.project)
    guard case .array(let keys)? = set["keys"], case .object(let jwk)? = keys.first else {
      Issue.record("There is no key.")
      return
    }
    func bytes(_ name: String) throws -> Data {
      let text = try #require(jwk[name]?.stringValue)
        .replacing("-", with: "+").replacing("_", with: "/")
      return try #require(
        Data(base64Encoded: text + String(repeating: "=", count: (4 - text.count % 4) % 4)))
    }

    #expect(keys.count == 1)
    #expect(jwk["kid"] == token.headerMembers?["kid"])
    #expect(jwk["alg"] == .string(algorithm.rawValue))
    #expect(jwk["use"] == "sig")
    let digest = SHA256.hash(data: Data(token.signedText.utf8))
    switch algorithm {
    case .rs256:
      #expect(Set(jwk.keys) == ["kid", "kty", "alg", "use", "n", "e"])
      let key = try _RSA.Signing.PublicKey(n: bytes("n"), e: bytes("e"))
      #expect(
        key.isValidSignature(
          _RSA.Signing.RSASignature(rawRepresentation: token.signature), for: digest,
          padding: .insecurePKCS1v1_5))
    case .es256:
      #expect(Set(jwk.keys) == ["kid", "kty", "alg", "use", "crv", "x", "y"])
      let key = try P256.Signing.PublicKey(rawRepresentation: bytes("x") + bytes("y"))
      #expect(
        key.isValidSignature(
          try P256.Signing.ECDSASignature(rawRepresentation: token.signature), for: digest))
    default: Issue.record("There are no such keys.")
    }
  }

  @Test func `published keys stay the same from server to server and time to time`()
    async throws
  {
    let home = TokenHome()
    let publication = home.tokens.publication
    let certificates = try await publication.certificates(.idToken, project: TokenHome.project)
    let set = try await publication.keySet(.idToken, project: TokenHome.project)
    home.clock.advance(seconds: 5000)

    let other = home.another().tokens.publication

    #expect(try await other.certificates(.idToken, project: TokenHome.project) == certificates)
    #expect(try await other.keySet(.idToken, project: TokenHome.project) == set)
    #expect(try await publication.keySet(.idToken, project: TokenHome.project) == set)
  }

  @Test func `cookies and ID tokens have keys of their own`() async throws {
    let publication = TokenHome().tokens.publication
    let project = TokenHome.project
    #expect(
      try await publication.keySet(.idToken, project: project)
        != publication.keySet(.sessionCookie, project: project))
  }

  @Test func `keys may be cached for less time than they wait to sign`() {
    #expect(
      TokenHome().tokens.publication.cacheControl
        == "public, max-age=3300, must-revalidate, no-transform")
  }

  @Test func `the issuer's metadata name it as its tokens do`() async throws {
    let home = TokenHome { $0.issuerPrefix = "https://login.example/" }
    let document = home.tokens.publication.discovery(
      project: TokenHome.project, keySetURL: "https://login.example/keys")
    #expect(document["issuer"] == (try await home.issue(home.account())).claims["iss"])
    #expect(document["jwks_uri"] == "https://login.example/keys")
    #expect(document["id_token_signing_alg_values_supported"] == ["ES256"])
    #expect(document["subject_types_supported"] == ["public"])
    #expect(document["response_types_supported"] == ["id_token"])
  }
}
