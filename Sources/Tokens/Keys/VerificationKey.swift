package import AuthCore
import Crypto
import CryptoExtras

/// A public key that is ready to check signatures, made once for each key of a set.
package struct VerificationKey: Sendable {
  package let id: String?
  /// The key's type and numbers, which tell whether two keys are equal.
  let material: [String]
  /// One checker for each algorithm that the key's type, curve and `alg` allow, so that a token cannot choose a use
  /// of the key that its owner did not intend.
  package private(set) var checkers: [SigningAlgorithm: SignatureChecker]
  /// The issuers whose tokens the key signs, by the member `issuer` that Microsoft's key sets have; nil for any.
  private(set) var issuers: Set<String>?

  /// The members of private and shared keys; a key that has one is not public and is refused.
  private static let privateMembers = ["d", "p", "q", "dp", "dq", "qi", "oth", "k"]

  /// Reads a JSON Web Key (RFC 7517); nil if its kind, use or algorithm is unknown, or if it is malformed, too
  /// weak, or not public.
  package init?(jwk: JSONValue) {
    guard let type = jwk["kty"]?.stringValue, Self.isForSignatures(jwk),
      !Self.privateMembers.contains(where: { jwk[$0] != nil })
    else { return nil }
    switch jwk["kid"] {
    case nil: id = nil
    case .string(let text): id = text
    default: return nil
    }
    // A member that is no text names no issuer, so the key signs nobody's tokens where its issuer counts.
    issuers = jwk["issuer"].map { issuer in issuer.stringValue.map { [$0] } ?? [] }
    switch type {
    case "RSA":
      guard let key = RSANumbers(jwk) else { return nil }
      material = [type, key.modulusText, key.exponentText]
      checkers = Self.makeCheckers(rsa: key.key)
    case "EC", "OKP":
      guard let curve = jwk["crv"]?.stringValue, let x = jwk["x"]?.stringValue else { return nil }
      let y = jwk["y"]?.stringValue
      guard let found = Self.makeChecker(curve: curve, x: x, y: y),
        (type == "OKP") == (found.algorithm == .edDSA)
      else { return nil }
      material = [type, curve, x, y ?? ""]
      checkers = [found.algorithm: found.checker]
    default: return nil
    }
    if let name = jwk["alg"] {
      guard let text = name.stringValue, let algorithm = SigningAlgorithm(rawValue: text) else {
        return nil
      }
      checkers = checkers.filter { $0.key == algorithm }
    }
    guard !checkers.isEmpty else { return nil }
  }

  /// Reads a public key in PEM; nil if it is malformed or too weak.
  package init?(pem: String) {
    id = nil
    issuers = nil
    material = ["PEM", pem]
    if let key = try? _RSA.Signing.PublicKey(pemRepresentation: pem) {
      checkers = Self.makeCheckers(rsa: key)
    } else if let key = try? P256.Signing.PublicKey(pemRepresentation: pem) {
      checkers = [.es256: .p256(key)]
    } else if let key = try? P384.Signing.PublicKey(pemRepresentation: pem) {
      checkers = [.es384: .p384(key)]
    } else if let key = try? P521.Signing.PublicKey(pemRepresentation: pem) {
      checkers = [.es512: .p521(key)]
    } else if let key = try? Curve25519.Signing.PublicKey(pemRepresentation: pem) {
      checkers = [.edDSA: .ed25519(key)]
    } else {
      return nil
    }
  }

  /// Returns the key with what another entry of the same set says of it.
  func merging(_ other: VerificationKey) -> VerificationKey {
    var merged = self
    merged.checkers.merge(other.checkers) { first, _ in first }
    merged.issuers = issuers.flatMap { own in other.issuers.map(own.union) }
    return merged
  }

  private static func isForSignatures(_ jwk: JSONValue) -> Bool {
    if let use = jwk["use"], use.stringValue != "sig" { return false }
    guard let operations = jwk["key_ops"] else { return true }
    guard case .array(let names) = operations else { return false }
    return names.contains("verify")
  }
}

extension VerificationKey {
  private static func makeCheckers(
    rsa key: _RSA.Signing.PublicKey
  ) -> [SigningAlgorithm: SignatureChecker] {
    [
      .rs256: .rsa(key, .insecurePKCS1v1_5, SHA256.self),
      .rs384: .rsa(key, .insecurePKCS1v1_5, SHA384.self),
      .rs512: .rsa(key, .insecurePKCS1v1_5, SHA512.self),
      .ps256: .rsa(key, .PSS, SHA256.self),
      .ps384: .rsa(key, .PSS, SHA384.self),
      .ps512: .rsa(key, .PSS, SHA512.self),
    ]
  }

  private static func makeChecker(
    curve: String, x: String, y: String?
  ) -> (algorithm: SigningAlgorithm, checker: SignatureChecker)? {
    guard let x = Base64.url.bytes(of: x.utf8) else { return nil }
    if curve == "Ed25519" {
      let key = try? Curve25519.Signing.PublicKey(rawRepresentation: x)
      return key.map { (.edDSA, .ed25519($0)) }
    }
    let lengths = ["P-256": 32, "P-384": 48, "P-521": 66]
    guard let length = lengths[curve], let y = y.flatMap({ Base64.url.bytes(of: $0.utf8) }),
      x.count == length, y.count == length
    else { return nil }
    // Both coordinates, uncompressed (SEC 1 section 2.3.3); a point off the curve is refused.
    let point = [0x04] + x + y
    switch curve {
    case "P-256":
      return (try? P256.Signing.PublicKey(x963Representation: point)).map { (.es256, .p256($0)) }
    case "P-384":
      return (try? P384.Signing.PublicKey(x963Representation: point)).map { (.es384, .p384($0)) }
    default:
      return (try? P521.Signing.PublicKey(x963Representation: point)).map { (.es512, .p521($0)) }
    }
  }
}

/// The numbers of an RSA key that is neither weak nor expensive to check.
private struct RSANumbers {
  let modulusText: String
  let exponentText: String
  let key: _RSA.Signing.PublicKey

  init?(_ jwk: JSONValue) {
    guard let modulusText = jwk["n"]?.stringValue, let exponentText = jwk["e"]?.stringValue,
      let modulus = Base64.url.bytes(of: modulusText.utf8), (256...1025).contains(modulus.count),
      let exponent = Base64.url.bytes(of: exponentText.utf8), (1...4).contains(exponent.count)
    else { return nil }
    // An exponent of 1 would make every signature its own text; even exponents are invalid.
    let number = exponent.reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    guard number >= 3, number % 2 == 1 else { return nil }
    // The initialiser refuses moduli of fewer than 2048 bits.
    guard let key = try? _RSA.Signing.PublicKey(n: modulus, e: exponent) else { return nil }
    self.modulusText = modulusText
    self.exponentText = exponentText
    self.key = key
  }
}
