public import AuthCore
import Crypto
import CryptoExtras
public import Foundation
import NIOConcurrencyHelpers

/// A key that signs tokens as a vendor does, or as an attacker.
public struct SigningKey: Sendable, CustomStringConvertible {
  /// The algorithms of the two kinds of key.
  public static let algorithms: [SigningAlgorithm] = [.rs256, .es256]

  private enum Material: Sendable {
    case rsa(_RSA.Signing.PrivateKey)
    case p256(P256.Signing.PrivateKey)
  }

  /// The `kid`, which a token names and a key set lists.
  public var keyID: String
  private let material: Material

  /// Makes an RSA key of 2048 bits, which is slow; ``shared(_:keyID:)`` reuses one.
  public static func rsa(keyID: String) throws -> SigningKey {
    SigningKey(keyID: keyID, material: .rsa(try _RSA.Signing.PrivateKey(keySize: .bits2048)))
  }

  /// Makes a key on the curve P-256, which is fast.
  public static func p256(keyID: String) -> SigningKey {
    SigningKey(keyID: keyID, material: .p256(P256.Signing.PrivateKey()))
  }

  private static let sharedKeys = NIOLockedValueBox<[Int: _RSA.Signing.PrivateKey]>([:])

  /// Returns one of the RSA keys that the whole process shares, each made on first use.
  ///
  /// - `number`: The number of the key; different numbers are different keys.
  /// - `keyID`: The key ID to use; nil for the number.
  public static func shared(_ number: Int = 0, keyID: String? = nil) throws -> SigningKey {
    let key = try sharedKeys.withLockedValue { keys in
      if let key = keys[number] { return key }
      let key = try _RSA.Signing.PrivateKey(keySize: .bits2048)
      keys[number] = key
      return key
    }
    return SigningKey(keyID: keyID ?? "shared-\(number)", material: .rsa(key))
  }

  /// The algorithm of the signatures.
  public var algorithm: SigningAlgorithm {
    switch material {
    case .rsa: .rs256
    case .p256: .es256
    }
  }

  /// The algorithm and the key ID.
  public var description: String { "\(algorithm.rawValue) key \(keyID)" }
}

extension SigningKey {
  /// The public key as a JWK (RFC 7517), with `kid`, `alg` and `use`.
  public var jwk: JSONValue {
    var members: [String: JSONValue] = [
      "kid": .string(keyID), "alg": .string(algorithm.rawValue), "use": "sig",
    ]
    switch material {
    case .rsa(let key):
      members["kty"] = "RSA"
      let numbers = try? key.publicKey.getKeyPrimitives()
      members["n"] = numbers.map { .string(Base64.url.text($0.modulus)) }
      members["e"] = numbers.map { .string(Base64.url.text($0.publicExponent)) }
    case .p256(let key):
      // X9.63: one byte for "uncompressed", then both coordinates.
      let point = key.publicKey.x963Representation.dropFirst()
      members["kty"] = "EC"
      members["crv"] = "P-256"
      members["x"] = .string(Base64.url.text(point.prefix(32)))
      members["y"] = .string(Base64.url.text(point.suffix(32)))
    }
    return .object(members)
  }

  /// The public key as PEM.
  public var publicKeyPEM: String {
    switch material {
    case .rsa(let key): key.publicKey.pemRepresentation
    case .p256(let key): key.publicKey.pemRepresentation
    }
  }

  /// The private key as PEM of PKCS #8, as Apple hands out its `.p8` files.
  public var privateKeyPEM: String {
    switch material {
    case .rsa(let key): key.pkcs8PEMRepresentation
    case .p256(let key): key.pemRepresentation
    }
  }

  /// Signs bytes as JWS does: PKCS #1 for RSA, `r` and `s` side by side for P-256.
  public func signature(of bytes: Data) throws -> Data {
    switch material {
    case .rsa(let key):
      try key.signature(for: SHA256.hash(data: bytes), padding: .insecurePKCS1v1_5)
        .rawRepresentation
    case .p256(let key):
      try key.signature(for: bytes).rawRepresentation
    }
  }

  /// Tells whether a token has the algorithm and the signature of this key; reads no claim.
  public func didSign(_ token: CompactToken) -> Bool {
    guard token.headerMembers?["alg"] == .string(algorithm.rawValue) else { return false }
    let bytes = Data(token.signedText.utf8)
    switch material {
    case .rsa(let key):
      return key.publicKey.isValidSignature(
        _RSA.Signing.RSASignature(rawRepresentation: token.signature),
        for: SHA256.hash(data: bytes), padding: .insecurePKCS1v1_5)
    case .p256(let key):
      guard
        let signature = try? P256.Signing.ECDSASignature(rawRepresentation: token.signature)
      else { return false }
      return key.publicKey.isValidSignature(signature, for: bytes)
    }
  }
}
