import AuthCore
import Crypto
import Foundation
import Testing

@testable import Tokens

/// The spellings in ID tokens of real vendors that differ from ours.
@Suite struct `Tokens of real vendors` {
  /// Keys by the algorithm that they sign with.
  private static let keys: [(SigningAlgorithm, IssuerKey)] = [
    (.rs256, .rsa()), (.rs384, .rsa("rsa", .rs384)), (.rs512, .rsa("rsa", .rs512)),
    (.es256, .p256()), (.es384, .p384()), (.es512, .p521()), (.edDSA, .ed25519()),
  ]

  private static func digest(_ text: String, _ algorithm: SigningAlgorithm) -> [UInt8] {
    let bytes = Array(text.utf8)
    switch algorithm {
    case .rs256, .ps256, .es256: return Array(SHA256.hash(data: bytes))
    case .rs384, .ps384, .es384: return Array(SHA384.hash(data: bytes))
    case .rs512, .ps512, .es512, .edDSA: return Array(SHA512.hash(data: bytes))
    }
  }

  private func base64(_ bytes: some Sequence<UInt8>) -> String {
    Data(Array(bytes)).base64EncodedString()
  }

  /// A text whose hash has both letters in which the two alphabets differ, and needs padding.
  private func accessToken(_ algorithm: SigningAlgorithm) -> String {
    for number in 0..<100_000 {
      let text = "token-\(number)"
      let digest = Self.digest(text, algorithm)
      let half = base64(digest.prefix(digest.count / 2))
      if half.contains("+") && half.contains("/") { return text }
    }
    return ""
  }

  @Test(arguments: keys.indices)
  func `P1: at_hash is compared as bytes, in either alphabet, padded or not`(
    _ index: Int
  ) async throws {
    let (algorithm, key) = Self.keys[index]
    let bench = TokenBench([key.jwk()], [algorithm])
    let accessToken = self.accessToken(algorithm)
    let digest = Self.digest(accessToken, algorithm)
    let half = Array(digest.prefix(digest.count / 2))
    let plain = base64(half)
    let web = plain.replacing("+", with: "-").replacing("/", with: "_")
    let bare = String(plain.prefix { $0 != "=" })
    func token(_ hash: JSONValue) -> String {
      bench.token(key, algorithm.rawValue, ["at_hash": hash])
    }

    for hash in [plain, web, bare, String(web.prefix { $0 != "=" })] {
      _ = try await bench.verify(token(.string(hash)), accessToken: accessToken)
      await bench.refuses(
        token(.string(hash)), accessToken: accessToken + "x", field: "at_hash")
    }
    // Wrong paddings, mixed alphabets, whitespace, other parts of the digest and other lengths.
    let mixed = bare.replacing("+", with: "-")
    var wrong = [
      "", "=", "==", "====", bare + "===", plain + "=", plain + "==", " " + plain, plain + "\n",
      mixed, base64(half.dropLast()), base64(half + [0]), base64(digest),
      base64(digest.suffix(half.count)), base64([]), half.map { String($0, radix: 16) }.joined(),
      String(bare.dropLast()), bare + "A",
    ]
    if !plain.hasSuffix("==") { wrong.append(bare + "==") }
    for other in [SigningAlgorithm.rs256, .rs384, .rs512]
    where Self.digest("", other).count != digest.count {
      let digest = Self.digest(accessToken, other)
      wrong.append(base64(digest.prefix(digest.count / 2)))
    }
    for hash in wrong {
      await bench.refuses(token(.string(hash)), accessToken: accessToken, field: "at_hash")
    }
  }

  @Test func `P1: the hash that Yahoo wrote beside its access token`() {
    // From social-core's test of Yahoo, of 2015.
    let bytes = Base64.bytes(ofEither: "ac9bDwz5LZ9yPEiukDpgsw==")

    #expect(bytes?.count == 16)
    #expect(bytes == Base64.url.bytes(of: "ac9bDwz5LZ9yPEiukDpgsw".utf8))
    // Unused bits have to be zero, even before padding.
    #expect(Base64.bytes(ofEither: "ac9bDwz5LZ9yPEiukDpgsx==") == nil)
  }

  @Test func `P9: times with a fraction are read, and never in favour of the bearer`()
    async throws
  {
    let key = IssuerKey.p256()
    var bench = TokenBench([key.jwk()])
    let now = Double(bench.now)
    func token(_ name: String, _ value: JSONValue) -> String {
      bench.token(key, "ES256", [name: value])
    }
    let good: [(String, Double)] = [
      ("exp", now + 0.5), ("exp", now - 59.5), ("exp", now - 59.99), ("exp", 253_402_300_798.5),
      ("iat", now - 0.447711), ("iat", now + 59.5), ("nbf", now + 59.999), ("nbf", 0.25),
      ("auth_time", now - 0.5), ("updated_at", now - 0.5),
    ]
    for (name, value) in good { _ = try await bench.verify(token(name, .number(value))) }
    // Beyond 60 seconds of leeway; an end is rounded down to the millisecond and a beginning up.
    let bad: [(String, Double)] = [
      ("exp", now - 60.000001), ("exp", now - 60 + 0.0000005), ("exp", now - 59.9999),
      ("iat", now + 60.0001), ("nbf", now + 60.0001),
    ]
    for (name, value) in bad {
      await bench.refuses(token(name, .number(value)), field: name)
    }
    bench.declaration.maximumAge = 600
    _ = try await bench.verify(token("iat", .number(now - 659.5)))
    await bench.refuses(token("iat", .number(now - 660.5)), field: "iat")
  }

  @Test(arguments: ["exp", "iat", "nbf"])
  func `P9: a value that is no time stays none`(_ name: String) async throws {
    let key = IssuerKey.p256()
    let bench = TokenBench([key.jwk()])
    let header = #"{"alg":"ES256","kid":"ec"}"#
    let texts = [
      "-1", "-0.5", "-1e9", "1e300", "1.5e308", "9223372036854775807", "9223372036854775808",
      "253402300800", "253402300800.5", "\"\(bench.now)\"", "\"\(bench.now).5\"", "\"NaN\"",
      "\"Infinity\"", "true", "null", "[]", "{}", "[\(bench.now)]",
    ]
    for text in texts {
      let claims = bench.claims([name: nil]).dropLast() + ",\"\(name)\":\(text)}"
      let token = TokenBench.token(header: header, claims: String(claims), key.sign)
      await bench.refuses(token, field: name)
    }
    for text in ["NaN", "Infinity", "0x10", "1_000", "01", "1.", ".5", "1e999", "+1"] {
      let claims = bench.claims([name: nil]).dropLast() + ",\"\(name)\":\(text)}"
      let token = TokenBench.token(header: header, claims: String(claims), key.sign)
      await bench.refuses(token, field: "idToken")
    }
    let inExponents = bench.claims(["iat": nil]).dropLast() + ",\"iat\":1.48e9}"
    _ = try await bench.verify(
      TokenBench.token(header: header, claims: String(inExponents), key.sign))
  }
}
