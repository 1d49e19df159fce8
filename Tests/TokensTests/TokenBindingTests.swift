import AuthCore
import Crypto
import Testing

@testable import Tokens

@Suite struct TokenBindingTests {
  let pair = P256.Signing.PrivateKey()
  var key: IssuerKey { .p256("ec", pair) }
  let raw = "n-0S6_WzA2Mj"
  /// The digest of `raw`.
  var hashed: String { SHA256.hash(data: Array(raw.utf8)).map(hex).joined() }

  private func hex(_ byte: UInt8) -> String {
    (byte < 16 ? "0" : "") + String(byte, radix: 16)
  }

  @Test func `attack 18: a nonce that is missing or another's is refused`() async throws {
    var bench = TokenBench([key.jwk()])
    let with = bench.token(key, "ES256", ["nonce": .string(raw)])
    let without = bench.token(key, "ES256")
    for presence in [NonceRule.Presence.optional, .required] {
      bench.declaration.nonce = NonceRule(presence)
      #expect(try await bench.verify(with, nonce: raw).nonce == raw)
      await bench.refuses(with, .missingOrInvalidNonce, field: "nonce")
      await bench.refuses(with, nonce: "", .missingOrInvalidNonce, field: "nonce")
      await bench.refuses(with, nonce: "nonce-of-bo", .missingOrInvalidNonce, field: "nonce")
      await bench.refuses(with, nonce: raw + "x", .missingOrInvalidNonce, field: "nonce")
      await bench.refuses(without, nonce: raw, .missingOrInvalidNonce, field: "nonce")
      for nonce: JSONValue in ["", 1, .null, [.string(raw)]] {
        let token = bench.token(key, "ES256", ["nonce": nonce])
        await bench.refuses(token, nonce: raw, .missingOrInvalidNonce, field: "nonce")
        await bench.refuses(token, nonce: "", .missingOrInvalidNonce, field: "nonce")
        await bench.refuses(token, .missingOrInvalidNonce, field: "nonce")
      }
    }
    await bench.refuses(without, .missingOrInvalidNonce, field: "nonce")
    bench.declaration.nonce = .optional
    #expect(try await bench.verify(without).nonce == nil)
  }

  @Test func `attack 18: an unexpected nonce is refused`() async throws {
    var bench = TokenBench([key.jwk()])
    bench.declaration.nonce = .none
    let with = bench.token(key, "ES256", ["nonce": .string(raw)])
    _ = try await bench.verify(bench.token(key, "ES256"))
    await bench.refuses(with, nonce: raw, .missingOrInvalidNonce, field: "nonce")
    await bench.refuses(with, .missingOrInvalidNonce, field: "nonce")
    bench.declaration.nonce = NonceRule(.ignored)
    #expect(try await bench.verify(with).uses.count == 1)
  }

  @Test func `attack 18: the form of a nonce is the declared one`() async throws {
    var bench = TokenBench([key.jwk()])
    let plain = bench.token(key, "ES256", ["nonce": .string(raw)])
    let digest = bench.token(key, "ES256", ["nonce": .string(hashed)])
    bench.declaration.nonce = NonceRule(.required, form: .sha256Hex)
    _ = try await bench.verify(digest, nonce: raw)
    await bench.refuses(plain, nonce: raw, .missingOrInvalidNonce, field: "nonce")
    await bench.refuses(digest, nonce: hashed, .missingOrInvalidNonce, field: "nonce")
    let upper = bench.token(key, "ES256", ["nonce": .string(hashed.uppercased())])
    await bench.refuses(upper, nonce: raw, .missingOrInvalidNonce, field: "nonce")
    bench.declaration.nonce = NonceRule(.required)
    _ = try await bench.verify(plain, nonce: raw)
    await bench.refuses(digest, nonce: raw, .missingOrInvalidNonce, field: "nonce")
    bench.declaration.nonce = NonceRule(.required, form: .either)
    _ = try await bench.verify(plain, nonce: raw)
    _ = try await bench.verify(digest, nonce: raw)
  }

  @Test func `attack 18: a token has one name under any valid signature`() async throws {
    let bench = TokenBench([key.jwk()])
    let token = bench.token(key, "ES256", ["nonce": .string(raw)])
    let parts = token.split(separator: ".").map(String.init)
    let again = try pair.signature(for: Array("\(parts[0]).\(parts[1])".utf8)).rawRepresentation
    let rewritten = [parts[0], parts[1], Base64.url.text(again)].joined(separator: ".")
    #expect(rewritten != token)

    let first = try await bench.verify(token, nonce: raw)
    let second = try await bench.verify(rewritten, nonce: raw)

    #expect(first.uses == second.uses)
    #expect(first.uses.count == 2)
    #expect(first.uses[0].name.hasPrefix("id-token:\(TokenBench.issuer):"))
    #expect(first.uses[1].name.hasPrefix("nonce:\(TokenBench.issuer):"))
    #expect(first.uses.allSatisfy { !$0.name.contains(raw) && !$0.name.contains(parts[1]) })
    #expect(first.uses.allSatisfy { $0.expiresAt == first.expiresAt.adding(seconds: 60) })
    let other = try await bench.verify(bench.token(key, "ES256"))
    #expect(other.uses.count == 1)
    #expect(other.uses[0].name != first.uses[0].name)
  }

  @Test func `at_hash is the one of the examples of OpenID Connect`() {
    // OpenID Connect Core, appendix A.3 and A.4.
    let token = "jHkWEdUXMU1BwAsC4vtUsZwnNvTIxEl0z9K3vx5KF0Y"
    #expect(ClaimCheck.leftHalf(of: token, .rs256) == "77QmUPtjPfzWtF2AnpK9RQ")
  }

  @Test func `an access token of another answer is refused`() async throws {
    let bench = TokenBench([key.jwk()])
    let hash = JSONValue.string(ClaimCheck.leftHalf(of: "mine", .es256))
    let token = bench.token(key, "ES256", ["at_hash": hash])
    _ = try await bench.verify(token, accessToken: "mine")
    _ = try await bench.verify(token)
    _ = try await bench.verify(bench.token(key, "ES256"), accessToken: "mine")
    await bench.refuses(token, accessToken: "another", field: "at_hash")
    for wrong: JSONValue in ["", 1, .null] {
      await bench.refuses(
        bench.token(key, "ES256", ["at_hash": wrong]), accessToken: "mine", field: "at_hash")
    }
  }

  @Test func `a code of another answer, or beside a token without c_hash, is refused`() async throws
  {
    let bench = TokenBench([key.jwk()])
    let hash = JSONValue.string(ClaimCheck.leftHalf(of: "mine", .es256))
    let token = bench.token(key, "ES256", ["c_hash": hash])

    _ = try await bench.verify(token, code: "mine")
    _ = try await bench.verify(token)
    await bench.refuses(token, besideCode: "another", field: "c_hash")
    await bench.refuses(bench.token(key, "ES256"), besideCode: "mine", field: "c_hash")
    for wrong: JSONValue in ["", 1, .null] {
      await bench.refuses(
        bench.token(key, "ES256", ["c_hash": wrong]), besideCode: "mine", field: "c_hash")
    }
  }
}
