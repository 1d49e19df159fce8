import AuthCore
import Crypto
import CryptoExtras
import Foundation

/// A vendor's key pair in tests, whose signing is written independently of the sources.
struct SampleKey: Sendable {
  private enum Kind: Sendable {
    case rsa(_RSA.Signing.PrivateKey)
    case p256(P256.Signing.PrivateKey)
  }

  let keyID: String
  private let kind: Kind

  // Making an RSA key is slow, so the tests share them.
  static let rsa = SampleKey(keyID: "rsa-1", kind: .rsa(sure { try .init(keySize: .bits2048) }))
  static let otherRSA = SampleKey(
    keyID: "rsa-1", kind: .rsa(sure { try .init(keySize: .bits2048) }))
  static let p256 = SampleKey(keyID: "ec-1", kind: .p256(.init()))
  static let otherP256 = SampleKey(keyID: "ec-1", kind: .p256(.init()))

  var privatePEM: String {
    switch kind {
    case .rsa(let key): key.pemRepresentation
    case .p256(let key): key.pemRepresentation
    }
  }

  var publicPEM: String {
    switch kind {
    case .rsa(let key): key.publicKey.pemRepresentation
    case .p256(let key): key.publicKey.pemRepresentation
    }
  }

  /// The key set as a vendor publishes it.
  var keySet: JSONValue {
    var key: [String: JSONValue] = ["kid": .string(keyID), "use": "sig"]
    switch kind {
    case .rsa(let privateKey):
      let numbers = sure { try privateKey.publicKey.getKeyPrimitives() }
      key["kty"] = "RSA"
      key["alg"] = "RS256"
      key["n"] = .string(Array(numbers.modulus).base64URL)
      key["e"] = .string(Array(numbers.publicExponent).base64URL)
    case .p256(let privateKey):
      let point = Array(privateKey.publicKey.rawRepresentation)
      key["kty"] = "EC"
      key["crv"] = "P-256"
      key["x"] = .string(Array(point[..<32]).base64URL)
      key["y"] = .string(Array(point[32...]).base64URL)
    }
    return ["keys": .array([.object(key)])]
  }

  func sign(_ claims: JSONValue) -> String {
    let isRSA = if case .rsa = kind { true } else { false }
    let header: JSONValue = [
      "alg": isRSA ? "RS256" : "ES256", "kid": .string(keyID), "typ": "JWT",
    ]
    let signed = [header, claims].map { Array($0.text.utf8).base64URL }.joined(separator: ".")
    let digest = SHA256.hash(data: Array(signed.utf8))
    let signature =
      switch kind {
      case .rsa(let key):
        sure { try key.signature(for: digest, padding: .insecurePKCS1v1_5) }.rawRepresentation
      case .p256(let key): sure { try key.signature(for: digest) }.rawRepresentation
      }
    return "\(signed).\(Array(signature).base64URL)"
  }

  /// Tells whether a token was signed with this key.
  func verifies(_ token: String) -> Bool {
    let parts = token.split(separator: ".").map(String.init)
    guard parts.count == 3, let signature = parts[2].base64URLBytes else { return false }
    let digest = SHA256.hash(data: Array("\(parts[0]).\(parts[1])".utf8))
    switch kind {
    case .rsa(let key):
      return key.publicKey.isValidSignature(
        _RSA.Signing.RSASignature(rawRepresentation: signature), for: digest,
        padding: .insecurePKCS1v1_5)
    case .p256(let key):
      guard let ecdsa = try? P256.Signing.ECDSASignature(rawRepresentation: signature) else {
        return false
      }
      return key.publicKey.isValidSignature(ecdsa, for: digest)
    }
  }
}

extension [UInt8] {
  var base64URL: String {
    Data(self).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
      .replacing("=", with: "")
  }
}

extension String {
  var base64URLBytes: [UInt8]? {
    let standard = replacing("-", with: "+").replacing("_", with: "/")
    let padding = String(repeating: "=", count: (4 - standard.utf8.count % 4) % 4)
    return Data(base64Encoded: standard + padding).map { Array($0) }
  }

  /// The header and the claims of a compact token.
  var tokenParts: (header: JSONValue, claims: JSONValue)? {
    let parts = split(separator: ".").map(String.init)
    guard parts.count == 3, let header = parts[0].base64URLJSON,
      let claims = parts[1].base64URLJSON
    else { return nil }
    return (header, claims)
  }

  private var base64URLJSON: JSONValue? {
    base64URLBytes.flatMap { try? JSONValue(text: String(decoding: $0, as: UTF8.self)) }
  }

  /// The SHA-256 in hexadecimal.
  var sha256Hex: String {
    SHA256.hash(data: Array(utf8)).map { String(format: "%02x", $0) }.joined()
  }
}
