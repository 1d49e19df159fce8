import AuthCore
import CryptoExtras
import Testing
import TestSupport

@testable import Tokens

@Suite struct TokenKeyTests {
  let rsa = IssuerKey.rsa()
  let ec = IssuerKey.p256()
  let stranger = IssuerKey.rsa("stranger", .rs256, IssuerKey.otherRSAPair)

  @Test(arguments: ["jku", "x5u", "jwk", "x5c", "crit", "b64", "zip"])
  func `attack 17: a header that brings or points to a key is refused`(_ member: String) async {
    let bench = TokenBench([rsa.jwk()])
    let values: [String: JSONValue] = [
      "jku": "https://attacker.example/jwks", "x5u": "https://attacker.example/x509",
      "jwk": stranger.jwk(), "x5c": ["MIIB"], "crit": ["exp"], "b64": false, "zip": "DEF",
    ]
    let header = [member: values[member] ?? .null]
    await bench.refuses(bench.token(stranger, "RS256", header: header), field: member)
    await bench.refuses(bench.token(rsa, "RS256", header: header), field: member)
    #expect(bench.transport.count == 0)
  }

  @Test(arguments: [
    "../../dev/null", "/etc/passwd", "https://attacker.example/key", "rsa\u{0}", "RSA", "rsa ",
    "' OR 1=1 --", "r\u{73}a\u{301}",
  ])
  func `attack 17: a kid is looked up and nothing else`(_ kid: String) async {
    let bench = TokenBench([rsa.jwk(), ec.jwk()])
    await bench.refuses(bench.token(rsa, "RS256", header: ["kid": .string(kid)]), field: "kid")
    #expect(bench.transport.requests.allSatisfy { $0.url == TokenBench.keysURL })
  }

  @Test func `attack 17: a kid that is no name is refused`() async {
    let bench = TokenBench([rsa.jwk()])
    let long = JSONValue.string(String(repeating: "k", count: 257))
    for kid: JSONValue in ["", 1, .null, ["rsa"], .object([:]), long] {
      await bench.refuses(bench.token(rsa, "RS256", header: ["kid": kid]), field: "kid")
    }
  }

  @Test func `attack 17: a name that two keys have is refused, and named`() async throws {
    let other = IssuerKey.rsa("rsa", .rs256, IssuerKey.otherRSAPair)
    let bench = TokenBench([other.jwk(), rsa.jwk(), ec.jwk()])
    let message = await bench.refuses(bench.token(rsa, "RS256"), field: "kid")
    #expect(message.contains("\"rsa\""))
    await bench.refuses(bench.token(other, "RS256"), field: "kid")
    _ = try await bench.verify(bench.token(ec, "ES256"))
  }

  @Test func `a key that is listed twice is one key`() async throws {
    let bench = TokenBench(
      [rsa.jwk(adding: ["alg": "RS256"]), rsa.jwk(adding: ["alg": "PS256"])],
      [.rs256, .ps256])
    _ = try await bench.verify(bench.token(rsa, "RS256"))
    _ = try await bench.verify(bench.token(.rsa("rsa", .ps256), "PS256"))
  }

  @Test func `attack 17: a key of another type, curve or algorithm is refused`() async {
    let bench = TokenBench(
      [rsa.jwk(adding: ["alg": "RS256"]), ec.jwk(), IssuerKey.p384("p384").jwk()],
      SigningAlgorithm.allCases)
    await bench.refuses(bench.token(rsa, "RS256", header: ["kid": "ec"]), field: "kid")
    await bench.refuses(bench.token(ec, "ES256", header: ["kid": "rsa"]), field: "kid")
    await bench.refuses(bench.token(ec, "ES256", header: ["kid": "p384"]), field: "kid")
    await bench.refuses(bench.token(.rsa("rsa", .ps256), "PS256"), field: "kid")
    await bench.refuses(bench.token(.rsa("rsa", .rs512), "RS512"), field: "kid")
  }

  @Test func `a token without kid needs exactly one key that fits`() async throws {
    let nameless = IssuerKey(id: nil, members: rsa.members, sign: rsa.sign)
    let one = TokenBench([rsa.jwk(), ec.jwk()])
    _ = try await one.verify(one.token(nameless, "RS256"))
    let two = TokenBench([rsa.jwk(), stranger.jwk()])
    await two.refuses(two.token(nameless, "RS256"), field: "kid")
    let none = TokenBench([ec.jwk()])
    await none.refuses(none.token(nameless, "RS256"), field: "kid")
  }

  @Test func `a key for another use is ignored`() async {
    let unusable: [[String: JSONValue]] = [
      ["use": "enc"], ["use": 1], ["key_ops": ["sign"]], ["key_ops": "verify"], ["alg": "HS256"],
      ["alg": "RSA-OAEP"], ["alg": "ES256"], ["kty": "oct"], ["kty": "EC"], ["kty": "rsa"],
      ["d": "AQAB"], ["p": "AQAB"], ["k": "AQAB"], ["e": "AQ"], ["e": "Ag"], ["e": "AAAAAAE"],
      ["n": "AQAB"], ["n": "*"], ["e": ""], ["kid": 1],
    ]
    for members in unusable {
      let bench = TokenBench([rsa.jwk(adding: members), ec.jwk()])
      await bench.refuses(bench.token(rsa, "RS256"), field: "kid")
    }
  }

  @Test func `an RSA key of 1024 bits is no key with any padding`() async throws {
    let pair = try _RSA.Signing.PrivateKey(unsafeKeySize: .init(bitCount: 1024))
    let weak = IssuerKey.rsa("weak", .rs256, pair)
    let modulus = try pair.publicKey.getKeyPrimitives().modulus
    let padded = Base64.url.text([UInt8](repeating: 0, count: 128) + modulus)
    for n in [weak.members["n"] ?? .null, .string(padded)] {
      let bench = TokenBench([weak.jwk(adding: ["n": n])])
      await bench.refuses(bench.token(weak, "RS256"), field: "kid")
    }
  }

  @Test func `a point that is not on the curve, or of another length, is no key`() async {
    let wrong = JSONValue.string(Base64.url.text([UInt8](repeating: 7, count: 32)))
    let short = JSONValue.string(Base64.url.text([UInt8](repeating: 7, count: 31)))
    for members: [String: JSONValue] in [
      ["y": wrong], ["x": short], ["y": .null], ["crv": "P-384"],
    ] {
      let bench = TokenBench([ec.jwk(adding: members), rsa.jwk()])
      await bench.refuses(bench.token(ec, "ES256"), field: "kid")
    }
  }

  @Test func `keys of unknown kinds do not spoil the others`() async throws {
    let strange: [JSONValue] = [
      ["kty": "AKP", "alg": "ML-DSA-65", "pub": "AAAA"], [:], "key", .null, ["kty": 5],
      ["kty": "oct", "k": "c2VjcmV0", "kid": "rsa"],
    ]
    let bench = TokenBench(strange + [rsa.jwk()])
    _ = try await bench.verify(bench.token(rsa, "RS256"))
  }
}
