public import AuthCore
package import Crypto
package import CryptoExtras

/// A private key that signs compact tokens (RFC 7515).
///
/// A key on the curve P-256 signs with ES256, an RSA key of 2,048 bits or more with RS256.
public struct SigningKey: Sendable, CustomStringConvertible {
  package enum Material: Sendable {
    case p256(P256.Signing.PrivateKey)
    case rsa(_RSA.Signing.PrivateKey)
  }

  /// The algorithms of the two kinds of key.
  public static let algorithms: [SigningAlgorithm] = [.rs256, .es256]

  /// The key ID, which a token names as `kid` and a key set lists; empty if tokens name none.
  public var keyID: String
  package let material: Material
  /// The checker of the key's signatures.
  package let checker: SignatureChecker
  private let publicMembers: [String: JSONValue]

  package init(_ key: P256.Signing.PrivateKey, keyID: String) {
    self.keyID = keyID
    material = .p256(key)
    checker = .p256(key.publicKey)
    let point = key.publicKey.rawRepresentation
    publicMembers = [
      "kty": "EC", "crv": "P-256", "alg": "ES256", "use": "sig",
      "x": .string(Base64.url.text(point.prefix(32))),
      "y": .string(Base64.url.text(point.suffix(32))),
    ]
  }

  package init(_ key: _RSA.Signing.PrivateKey, keyID: String) throws {
    self.keyID = keyID
    material = .rsa(key)
    checker = .rsa(key.publicKey, .insecurePKCS1v1_5, SHA256.self)
    let numbers = try key.publicKey.getKeyPrimitives()
    publicMembers = [
      "kty": "RSA", "alg": "RS256", "use": "sig",
      "n": .string(Base64.url.text(numbers.modulus)),
      "e": .string(Base64.url.text(numbers.publicExponent)),
    ]
  }

  /// Makes a key on the curve P-256, which is fast.
  public static func p256(keyID: String) -> SigningKey {
    SigningKey(P256.Signing.PrivateKey(), keyID: keyID)
  }

  /// Makes an RSA key of 2,048 bits, which takes some tenths of a second.
  public static func rsa(keyID: String) throws -> SigningKey {
    try SigningKey(_RSA.Signing.PrivateKey(keySize: .bits2048), keyID: keyID)
  }

  /// The algorithm that a token's header names.
  public var algorithm: SigningAlgorithm {
    switch material {
    case .p256: .es256
    case .rsa: .rs256
    }
  }

  /// The algorithm and the key ID.
  public var description: String { "\(algorithm.rawValue) key \(keyID)" }

  /// The public key as a JSON Web Key (RFC 7517), with `alg`, `use`, and the key ID if there is one.
  public var jwk: JSONValue {
    var members = publicMembers
    if !keyID.isEmpty { members["kid"] = .string(keyID) }
    return .object(members)
  }
}
