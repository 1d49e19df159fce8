import AuthCore
import Foundation
import JWTKit

/// A public key of an issuer, ready to verify with; made once for many tokens.
struct PublicKey: Sendable {
  let id: String?
  /// What the key may be used with: its type's algorithms, or the one that it names.
  let algorithms: Set<SigningAlgorithm>
  /// The members of the key that make it the same key.
  let material: [String?]
  private let verifiers: [SigningAlgorithm: JWTKeyCollection]

  /// Reads a JSON Web Key; nil for one that does not sign ID tokens, which a set may hold as well.
  init?(_ key: JSONValue) async {
    func text(_ name: String) -> String? { key[name]?.stringValue }
    // A key that gives its private half away, or that is a shared secret, proves nothing.
    guard key["d"] == nil, key["k"] == nil, text("use") ?? "sig" == "sig" else { return nil }
    if case .array(let operations)? = key["key_ops"], !operations.contains("verify") { return nil }
    let family: [SigningAlgorithm]
    switch (text("kty"), text("crv")) {
    case ("RSA", _): family = [.RS256, .RS384, .RS512, .PS256, .PS384, .PS512]
    case ("EC", "P-256"): family = [.ES256]
    case ("EC", "P-384"): family = [.ES384]
    case ("EC", "P-521"): family = [.ES512]
    case ("OKP", "Ed25519"): family = [.EdDSA]
    default: return nil
    }
    let named = text("alg")
    let fitting = family.filter { named == nil || $0.rawValue == named }
    var verifiers: [SigningAlgorithm: JWTKeyCollection] = [:]
    for algorithm in fitting {
      verifiers[algorithm] = await Self.verifier(algorithm, text)
    }
    guard !verifiers.isEmpty else { return nil }
    id = text("kid")
    algorithms = Set(verifiers.keys)
    material = ["kty", "crv", "n", "e", "x", "y"].map(text)
    self.verifiers = verifiers
  }

  /// The claims of a token whose signature is this key's, or nil.
  func claims(of token: CompactSignature, _ algorithm: SigningAlgorithm) async -> JSONValue? {
    guard let verifier = verifiers[algorithm] else { return nil }
    return try? await verifier.verify(token.bytes, as: AnyClaims.self).claims
  }

  private static func verifier(
    _ algorithm: SigningAlgorithm, _ text: (String) -> String?
  ) async -> JWTKeyCollection? {
    let keys = JWTKeyCollection()
    switch algorithm {
    case .RS256, .RS384, .RS512, .PS256, .PS384, .PS512:
      guard let modulus = text("n"), let exponent = text("e"),
        let size = Base64URL.bytes(of: modulus.utf8)?.drop(while: { $0 == 0 }).count,
        // RFC 7518, section 3.3: 2048 bits or more; the upper bound keeps verifying cheap.
        (256...1024).contains(size),
        let key = try? Insecure.RSA.PublicKey(modulus: modulus, exponent: exponent)
      else { return nil }
      let digest: DigestAlgorithm =
        switch algorithm {
        case .RS384, .PS384: .sha384
        case .RS512, .PS512: .sha512
        default: .sha256
        }
      if algorithm.rawValue.hasPrefix("PS") {
        await keys.add(pss: key, digestAlgorithm: digest)
      } else {
        await keys.add(rsa: key, digestAlgorithm: digest)
      }
    case .ES256, .ES384, .ES512:
      guard let x = text("x"), let y = text("y") else { return nil }
      let point = (x: x, y: y)
      switch algorithm {
      case .ES256:
        guard let key = try? ES256PublicKey(parameters: point) else { return nil }
        await keys.add(ecdsa: key)
      case .ES384:
        guard let key = try? ES384PublicKey(parameters: point) else { return nil }
        await keys.add(ecdsa: key)
      default:
        guard let key = try? ES512PublicKey(parameters: point) else { return nil }
        await keys.add(ecdsa: key)
      }
    case .EdDSA:
      guard let x = text("x"), let key = try? EdDSA.PublicKey(x: x, curve: .ed25519) else {
        return nil
      }
      await keys.add(eddsa: key)
    }
    return keys
  }
}

/// Takes every claim as it is; what they have to say is the declaration's matter.
private struct AnyClaims: JWTPayload {
  let claims: JSONValue

  init(from decoder: any Decoder) throws {
    claims = try JSONValue(from: decoder)
  }

  func encode(to encoder: any Encoder) throws {
    try claims.encode(to: encoder)
  }

  func verify(using algorithm: some JWTAlgorithm) async throws {}
}
