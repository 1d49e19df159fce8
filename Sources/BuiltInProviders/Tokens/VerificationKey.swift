import AuthCore
import CryptoExtras
import JWTKit

/// A public key that is ready to check signatures; made once for each key of a set.
struct VerificationKey: Sendable {
  let id: String?
  /// Type and numbers of the key, to tell whether two are one.
  let material: [String]
  /// One checker for each algorithm that the key's type, curve and `alg` allow, so that a token cannot choose
  /// another use of the key than its owner's.
  private(set) var checkers: [SigningAlgorithm: any JWTAlgorithm]

  /// Members of private and of shared keys: such a key is known to others, whatever it signed.
  private static let privateMembers = ["d", "p", "q", "dp", "dq", "qi", "oth", "k"]

  /// Reads a JSON Web Key (RFC 7517); nil where it is of a kind, use or algorithm that we do not know, malformed,
  /// too weak, or not public.
  init?(jwk: JSONValue) async {
    guard let type = jwk["kty"]?.stringValue, Self.isForSignatures(jwk),
      !Self.privateMembers.contains(where: { jwk[$0] != nil })
    else { return nil }
    switch jwk["kid"] {
    case nil: id = nil
    case .string(let text): id = text
    default: return nil
    }
    switch type {
    case "RSA":
      guard let key = RSANumbers(jwk) else { return nil }
      material = [type, key.modulusText, key.exponentText]
      checkers = await Self.makeCheckers(rsa: key.key)
    case "EC", "OKP":
      guard let curve = jwk["crv"]?.stringValue, let x = jwk["x"]?.stringValue else { return nil }
      let y = jwk["y"]?.stringValue
      guard let found = await Self.makeChecker(curve: curve, x: x, y: y),
        (type == "OKP") == (found.algorithm == .EdDSA)
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

  /// Reads a public key in PEM; nil where it is none, or too weak.
  init?(pem: String) async {
    id = nil
    material = ["PEM", pem]
    if let key = try? _RSA.Signing.PublicKey(pemRepresentation: pem) {
      checkers = await Self.makeCheckers(rsa: key)
    } else if let key = try? ES256PublicKey(pem: pem) {
      checkers = await Self.makeCheckers([.ES256]) { keys, _ in await keys.add(ecdsa: key) }
    } else if let key = try? ES384PublicKey(pem: pem) {
      checkers = await Self.makeCheckers([.ES384]) { keys, _ in await keys.add(ecdsa: key) }
    } else if let key = try? ES512PublicKey(pem: pem) {
      checkers = await Self.makeCheckers([.ES512]) { keys, _ in await keys.add(ecdsa: key) }
    } else if let key = try? EdDSA.PublicKey(pem: pem) {
      checkers = await Self.makeCheckers([.EdDSA]) { keys, _ in await keys.add(eddsa: key) }
    } else {
      return nil
    }
  }

  func merging(_ other: VerificationKey) -> VerificationKey {
    var merged = self
    merged.checkers.merge(other.checkers) { first, _ in first }
    return merged
  }

  private static func isForSignatures(_ jwk: JSONValue) -> Bool {
    if let use = jwk["use"], use.stringValue != "sig" { return false }
    guard let operations = jwk["key_ops"] else { return true }
    guard case .array(let names) = operations else { return false }
    return names.contains("verify")
  }
}

/// How the checkers are made: jwt-kit gives one out for a key that was added to a collection.
extension VerificationKey {
  private static func makeCheckers(
    _ algorithms: [SigningAlgorithm],
    _ add: (JWTKeyCollection, SigningAlgorithm) async -> Void
  ) async -> [SigningAlgorithm: any JWTAlgorithm] {
    var checkers: [SigningAlgorithm: any JWTAlgorithm] = [:]
    for algorithm in algorithms {
      let keys = JWTKeyCollection()
      await add(keys, algorithm)
      checkers[algorithm] = try? await keys.getKey()
    }
    return checkers
  }

  private static func makeCheckers(
    rsa numbers: _RSA.Signing.PublicKey
  ) async -> [SigningAlgorithm: any JWTAlgorithm] {
    guard let key = try? Insecure.RSA.PublicKey(backing: numbers) else { return [:] }
    return await makeCheckers([.RS256, .RS384, .RS512, .PS256, .PS384, .PS512]) { keys, algorithm in
      let digest: DigestAlgorithm =
        switch algorithm {
        case .RS384, .PS384: .sha384
        case .RS512, .PS512: .sha512
        default: .sha256
        }
      switch algorithm {
      case .PS256, .PS384, .PS512: await keys.add(pss: key, digestAlgorithm: digest)
      default: await keys.add(rsa: key, digestAlgorithm: digest)
      }
    }
  }

  private static func makeChecker(
    curve: String, x: String, y: String?
  ) async -> (algorithm: SigningAlgorithm, checker: any JWTAlgorithm)? {
    let lengths = ["P-256": 32, "P-384": 48, "P-521": 66, "Ed25519": 32]
    guard let length = lengths[curve], Base64URL.bytes(of: x.utf8)?.count == length,
      curve == "Ed25519" || y.flatMap({ Base64URL.bytes(of: $0.utf8) })?.count == length
    else { return nil }
    let point = (x: x, y: y ?? "")
    let keys = JWTKeyCollection()
    let algorithm: SigningAlgorithm
    switch curve {
    case "P-256":
      guard let key = try? ES256PublicKey(parameters: point) else { return nil }
      await keys.add(ecdsa: key)
      algorithm = .ES256
    case "P-384":
      guard let key = try? ES384PublicKey(parameters: point) else { return nil }
      await keys.add(ecdsa: key)
      algorithm = .ES384
    case "P-521":
      guard let key = try? ES512PublicKey(parameters: point) else { return nil }
      await keys.add(ecdsa: key)
      algorithm = .ES512
    default:
      guard let key = try? EdDSA.PublicKey(x: x, curve: .ed25519) else { return nil }
      await keys.add(eddsa: key)
      algorithm = .EdDSA
    }
    return (try? await keys.getKey()).map { (algorithm, $0) }
  }
}

/// The numbers of an RSA key that is neither weak nor made to keep us busy.
private struct RSANumbers {
  let modulusText: String
  let exponentText: String
  let key: _RSA.Signing.PublicKey

  init?(_ jwk: JSONValue) {
    guard let modulusText = jwk["n"]?.stringValue, let exponentText = jwk["e"]?.stringValue,
      let modulus = Base64URL.bytes(of: modulusText.utf8), (256...1025).contains(modulus.count),
      let exponent = Base64URL.bytes(of: exponentText.utf8), (1...4).contains(exponent.count)
    else { return nil }
    // 1 would make every signature its own text; even ones are none.
    let number = exponent.reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    guard number >= 3, number % 2 == 1 else { return nil }
    // Refuses moduli of less than 2048 bits itself.
    guard let key = try? _RSA.Signing.PublicKey(n: modulus, e: exponent) else { return nil }
    self.modulusText = modulusText
    self.exponentText = exponentText
    self.key = key
  }
}
