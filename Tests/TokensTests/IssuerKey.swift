import AuthCore
import Crypto
import CryptoExtras
import Foundation

@testable import Tokens

/// A key pair of an issuer in a test.
struct IssuerKey: Sendable {
  let id: String?
  /// The public key's members, without `kid`.
  let members: [String: JSONValue]
  let sign: @Sendable ([UInt8]) throws -> [UInt8]

  /// The public key as a member of a key set.
  func jwk(adding more: [String: JSONValue] = [:]) -> JSONValue {
    var all = members
    if let id { all["kid"] = .string(id) }
    return .object(all.merging(more) { _, new in new })
  }

  /// One for the process, because making it is slow.
  static let rsaPair = made { try _RSA.Signing.PrivateKey(keySize: .bits2048) }
  static let otherRSAPair = made { try _RSA.Signing.PrivateKey(keySize: .bits2048) }

  /// Makes a value that only a broken machine cannot make.
  private static func made<Value>(_ make: () throws -> Value) -> Value {
    do { return try make() } catch { preconditionFailure("\(error)") }
  }

  static func rsa(
    _ id: String? = "rsa", _ algorithm: SigningAlgorithm = .rs256,
    _ pair: _RSA.Signing.PrivateKey = rsaPair
  ) -> IssuerKey {
    let numbers = made { try pair.publicKey.getKeyPrimitives() }
    return IssuerKey(
      id: id,
      members: [
        "kty": "RSA", "n": .string(Base64.url.text(numbers.modulus)),
        "e": .string(Base64.url.text(numbers.publicExponent)),
      ]
    ) { bytes in
      switch algorithm {
      case .ps256:
        Array(
          try pair.signature(for: SHA256.hash(data: bytes), padding: .PSS).rawRepresentation)
      case .rs384:
        Array(
          try pair.signature(for: SHA384.hash(data: bytes), padding: .insecurePKCS1v1_5)
            .rawRepresentation)
      case .rs512:
        Array(
          try pair.signature(for: SHA512.hash(data: bytes), padding: .insecurePKCS1v1_5)
            .rawRepresentation)
      default:
        Array(
          try pair.signature(for: SHA256.hash(data: bytes), padding: .insecurePKCS1v1_5)
            .rawRepresentation)
      }
    }
  }

  static func p256(_ id: String? = "ec", _ pair: P256.Signing.PrivateKey = .init()) -> IssuerKey {
    let point = pair.publicKey.rawRepresentation
    return IssuerKey(id: id, members: ec("P-256", point)) {
      Array(try pair.signature(for: $0).rawRepresentation)
    }
  }

  static func p384(
    _ id: String? = "ec384", _ pair: P384.Signing.PrivateKey = .init()
  ) -> IssuerKey {
    IssuerKey(id: id, members: ec("P-384", pair.publicKey.rawRepresentation)) {
      Array(try pair.signature(for: $0).rawRepresentation)
    }
  }

  static func p521(
    _ id: String? = "ec521", _ pair: P521.Signing.PrivateKey = .init()
  ) -> IssuerKey {
    IssuerKey(id: id, members: ec("P-521", pair.publicKey.rawRepresentation)) {
      Array(try pair.signature(for: $0).rawRepresentation)
    }
  }

  static func ed25519(
    _ id: String? = "ed", _ pair: Curve25519.Signing.PrivateKey = .init()
  ) -> IssuerKey {
    IssuerKey(
      id: id,
      members: [
        "kty": "OKP", "crv": "Ed25519",
        "x": .string(Base64.url.text(pair.publicKey.rawRepresentation)),
      ]
    ) { Array(try pair.signature(for: $0)) }
  }

  private static func ec(_ curve: String, _ point: Data) -> [String: JSONValue] {
    let half = point.count / 2
    return [
      "kty": "EC", "crv": .string(curve), "x": .string(Base64.url.text(point.prefix(half))),
      "y": .string(Base64.url.text(point.suffix(half))),
    ]
  }
}
