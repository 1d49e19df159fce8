import AuthCore
import AuthTesting
import Crypto
import CryptoExtras
import Foundation
import Testing
import TestSupport

@testable import Tokens

@Suite struct TokenSignatureTests {
  let rsa = IssuerKey.rsa()
  let ec = IssuerKey.p256()

  @Test func `a token of each algorithm is believed`() async throws {
    let keys: [(IssuerKey, SigningAlgorithm)] = [
      (.rsa("a"), .rs256), (.rsa("b", .rs384), .rs384), (.rsa("c", .rs512), .rs512),
      (.rsa("d", .ps256), .ps256), (.p256("e"), .es256), (.p384("f"), .es384),
      (.p521("g"), .es512), (.ed25519("h"), .edDSA),
    ]
    let bench = TokenBench(keys.map { $0.0.jwk() }, SigningAlgorithm.allCases)
    for (key, algorithm) in keys {
      let claims = try await bench.verify(bench.token(key, algorithm.rawValue))
      #expect(claims.subject == "ada")
      #expect(claims.issuer == TokenBench.issuer)
      #expect(claims.audiences == [TokenBench.client])
    }
    #expect(bench.transport.count == 1)
  }

  @Test func `fixed keys are JWK, key sets and PEM, and no request is made`() async throws {
    var bench = TokenBench([])
    let pair = P256.Signing.PrivateKey()
    let sources: [(IssuerKey, String, String)] = [
      (rsa, "RS256", rsa.jwk().text), (rsa, "RS256", TokenBench.keySet([rsa.jwk()])),
      (rsa, "RS256", IssuerKey.rsaPair.publicKey.pemRepresentation),
      (.p256("named", pair), "ES256", pair.publicKey.pemRepresentation),
    ]
    for (key, algorithm, text) in sources {
      bench.declaration.keys = .fixed([text])
      _ = try await bench.verify(bench.token(key, algorithm))
    }
    #expect(bench.transport.count == 0)
  }

  @Test func `fixed keys in PEM are of every curve, and of no other algorithm`() async throws {
    let (p384, p521) = (P384.Signing.PrivateKey(), P521.Signing.PrivateKey())
    let ed25519 = Curve25519.Signing.PrivateKey()
    let sources: [(IssuerKey, SigningAlgorithm, String)] = [
      (.p384("f", p384), .es384, p384.publicKey.pemRepresentation),
      (.p521("g", p521), .es512, p521.publicKey.pemRepresentation),
      (.ed25519("h", ed25519), .edDSA, ed25519.publicKey.pemRepresentation),
    ]
    for (key, algorithm, text) in sources {
      var bench = TokenBench([], SigningAlgorithm.allCases)
      bench.declaration.keys = .fixed([text])
      _ = try await bench.verify(bench.token(key, algorithm.rawValue))
      for other in SigningAlgorithm.allCases where other != algorithm {
        await bench.refuses(bench.token(key, other.rawValue), field: "kid")
      }
    }
  }

  @Test func `a signature of another length is refused by every algorithm`() async throws {
    let keys: [(IssuerKey, SigningAlgorithm)] = [
      (.rsa("a"), .rs256), (.rsa("d", .ps256), .ps256), (.p256("e"), .es256), (.p384("f"), .es384),
      (.p521("g"), .es512), (.ed25519("h"), .edDSA),
    ]
    let bench = TokenBench(keys.map { $0.0.jwk() }, SigningAlgorithm.allCases)
    for (key, algorithm) in keys {
      for length in [1, 32, 63, 65, 96, 132, 255, 257, 512] {
        let claims = bench.claims()
        let header = #"{"alg":"\#(algorithm.rawValue)","kid":"\#(key.id ?? "")"}"#
        let token = TokenBench.token(header: header, claims: claims) { bytes in
          let signature = try key.sign(bytes)
          let padded = signature + [UInt8](repeating: 0, count: 512)
          return Array(padded.prefix(length == signature.count ? length - 1 : length))
        }
        await bench.refuses(token, field: "idToken")
      }
    }
  }

  @Test func `attack 16: no signature, by any spelling of none, is refused`() async {
    let bench = TokenBench([rsa.jwk()], SigningAlgorithm.allCases)
    for name in ["none", "None", "nOnE", "NONE", "", "none "] {
      let header = #"{"alg":"\#(name)"}"#
      let unsigned = TokenBench.token(header: header, claims: bench.claims()) { _ in [] }
      await bench.refuses(unsigned, field: "alg")
      let signed = TokenBench.token(header: header, claims: bench.claims(), rsa.sign)
      await bench.refuses(signed, field: "alg")
    }
    await bench.refuses(
      TokenBench.token(header: "{}", claims: bench.claims(), rsa.sign), field: "alg")
    #expect(bench.transport.count == 0)
  }

  @Test func `attack 16: an empty signature is refused`() async {
    let bench = TokenBench([rsa.jwk()])
    let header = #"{"alg":"RS256","kid":"rsa"}"#
    await bench.refuses(
      TokenBench.token(header: header, claims: bench.claims()) { _ in [] }, field: "idToken")
  }

  @Test func `attack 16: HS256 with the public key as the secret is refused`() async {
    let bench = TokenBench([rsa.jwk()], SigningAlgorithm.allCases)
    let secrets = [
      Data(IssuerKey.rsaPair.publicKey.pemRepresentation.utf8),
      IssuerKey.rsaPair.publicKey.derRepresentation, Data(rsa.jwk().text.utf8),
    ]
    for secret in secrets {
      let mac: ([UInt8]) -> [UInt8] = {
        Array(HMAC<SHA256>.authenticationCode(for: $0, using: SymmetricKey(data: secret)))
      }
      let forged = TokenBench.token(
        header: #"{"alg":"HS256","kid":"rsa"}"#, claims: bench.claims(), mac)
      await bench.refuses(forged, field: "alg")
      let renamed = TokenBench.token(
        header: #"{"alg":"RS256","kid":"rsa"}"#, claims: bench.claims(), mac)
      await bench.refuses(renamed, field: "idToken")
    }
  }

  @Test func `an algorithm that is not declared is refused`() async {
    let bench = TokenBench([rsa.jwk(), ec.jwk()], [.es256])
    await bench.refuses(bench.token(rsa, "RS256"), field: "alg")
  }

  @Test func `changed claims, another's signature and a half one are refused`() async {
    let bench = TokenBench([rsa.jwk(), ec.jwk()])
    for (key, algorithm) in [(rsa, "RS256"), (ec, "ES256")] {
      let parts = bench.token(key, algorithm).split(separator: ".").map(String.init)
      let other = bench.token(key, algorithm, ["sub": "bo"]).split(separator: ".").map(String.init)
      await bench.refuses([parts[0], other[1], parts[2]].joined(separator: "."), field: "idToken")
      let half = String(parts[2].prefix(40))
      await bench.refuses([parts[0], parts[1], half].joined(separator: "."), field: "idToken")
    }
    let stranger = IssuerKey.rsa("rsa", .rs256, IssuerKey.otherRSAPair)
    await bench.refuses(bench.token(stranger, "RS256"), field: "idToken")
  }

  @Test func `a token in another spelling is refused`() async {
    let bench = TokenBench([rsa.jwk(), ec.jwk()])
    let token = bench.token(ec, "ES256")
    let malformed = [
      "", ".", "..", "a.b", token + ".", token + "=", token + "AA==", " " + token, token + "\n",
      token.replacing(".", with: ". "), token + "." + token, token.replacing(".", with: ".."),
      String(token.dropLast()) + "*", "é.é.é", String(repeating: "a", count: (16 << 10) + 1),
    ]
    for text in malformed { await bench.refuses(text, field: "idToken") }
    // 64 bytes leave four unused bits in the last of 86 characters.
    let last = token.last.map {
      $0 == "A" ? "B" : String(Character(UnicodeScalar($0.asciiValue! + 1)))
    }
    await bench.refuses(token.dropLast() + (last ?? ""), field: "idToken")
    #expect(bench.transport.count == 0)
  }

  @Test func `two members of one name are refused, in header and payload`() async {
    let bench = TokenBench([rsa.jwk()])
    let claims = bench.claims()
    let twice = claims.dropLast() + #","sub":"bo"}"#
    let header = #"{"alg":"RS256","kid":"rsa"}"#
    await bench.refuses(
      TokenBench.token(header: header, claims: String(twice), rsa.sign), field: "idToken")
    await bench.refuses(
      TokenBench.token(
        header: #"{"alg":"RS256","alg":"none","kid":"rsa"}"#, claims: claims, rsa.sign),
      field: "idToken")
    for payload in ["[]", "1", "\"x\"", "{", claims + "x", "{\"sub\":\"\\ud800\"}"] {
      await bench.refuses(
        TokenBench.token(header: header, claims: payload, rsa.sign), field: "idToken")
    }
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func `a token with a changed byte is never believed`(seed: UInt64) async {
    let bench = TokenBench([rsa.jwk(), ec.jwk()])
    let token = Array(bench.token(ec, "ES256").utf8)
    let alphabet = Array("AZaz09-_.=+ {}\"\u{7F}".utf8)
    var random = SeededGenerator(seed: seed)
    for _ in 0..<300 {
      var bytes = token
      for _ in 0...Int.random(in: 0..<3, using: &random) {
        let place = Int.random(in: bytes.indices, using: &random)
        bytes[place] = alphabet[Int.random(in: alphabet.indices, using: &random)]
      }
      guard bytes != token else { continue }
      let claims = try? await bench.verify(String(decoding: bytes, as: UTF8.self))
      #expect(claims == nil, "seed \(seed)")
    }
  }
}
