package import AuthCore
import Crypto
import CryptoExtras
import Foundation

/// A private key that signs compact tokens (RFC 7515): what AuthGraph itself says to somebody else.
///
/// A key on the curve P-256 signs with ES256, an RSA key of 2,048 bits or more with RS256.
package struct TokenSigner: Sendable {
  private enum Key: Sendable {
    case p256(P256.Signing.PrivateKey)
    case rsa(_RSA.Signing.PrivateKey)
  }

  private let key: Key

  /// Reads a private key as PEM, in PKCS #8 or the older form of its kind.
  ///
  /// Throws `operation-not-allowed` naming the field that holds it.
  package init(pem: Secret<String>, field: String) throws(AuthError) {
    let text = pem.reveal()
    if let key = try? P256.Signing.PrivateKey(pemRepresentation: text) {
      self.key = .p256(key)
    } else if let key = try? _RSA.Signing.PrivateKey(pemRepresentation: text) {
      self.key = .rsa(key)
    } else {
      throw AuthError(
        .operationNotAllowed,
        "This is no private key on the curve P-256 and no RSA key of at least 2,048 bits.",
        field: field, remedy: "Give the key as PEM, from BEGIN to END.", step: .credential)
    }
  }

  /// The name of the algorithm in a token's header (RFC 7518 3.1).
  var algorithm: String {
    switch key {
    case .p256: "ES256"
    case .rsa: "RS256"
    }
  }

  /// Signs claims.
  package func sign(_ claims: JSONValue, keyID: String? = nil) throws -> String {
    var header: [String: JSONValue] = ["alg": .string(algorithm), "typ": "JWT"]
    header["kid"] = keyID.map(JSONValue.string)
    let parts = [JSONValue.object(header), claims].map { Base64.url.text($0.text.utf8) }
    let signed = parts.joined(separator: ".")
    return "\(signed).\(Base64.url.text(try signature(of: Array(signed.utf8))))"
  }

  private func signature(of bytes: [UInt8]) throws -> [UInt8] {
    switch key {
    case .p256(let key): Array(try key.signature(for: bytes).rawRepresentation)
    case .rsa(let key):
      // RS256 is PKCS #1 v1.5 (RFC 7518 3.3).
      Array(
        try key.signature(for: SHA256.hash(data: bytes), padding: .insecurePKCS1v1_5)
          .rawRepresentation)
    }
  }

  /// The public half.
  var publicKey: PublicKeyText {
    get throws {
      switch key {
      case .p256(let key): PublicKeyText(key.publicKey)
      case .rsa(let key): try PublicKeyText(key.publicKey)
      }
    }
  }
}
