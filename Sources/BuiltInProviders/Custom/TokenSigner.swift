package import AuthCore
import Crypto
import CryptoExtras

/// A private key that signs AuthGraph's own compact tokens (RFC 7515).
///
/// A key on the curve P-256 signs with ES256, an RSA key of 2,048 bits or more with RS256.
package struct TokenSigner: Sendable {
  private enum Key: Sendable {
    case p256(P256.Signing.PrivateKey)
    case rsa(_RSA.Signing.PrivateKey)
  }

  private let key: Key

  /// The algorithms of the two kinds of key.
  package static let algorithms: [SigningAlgorithm] = [.rs256, .es256]

  /// Reads a private key in PEM, as PKCS #8 or in the older form of its kind; nil if it is neither.
  package init?(pem: String) {
    if let key = try? P256.Signing.PrivateKey(pemRepresentation: pem) {
      self.key = .p256(key)
    } else if let key = try? _RSA.Signing.PrivateKey(pemRepresentation: pem) {
      self.key = .rsa(key)
    } else {
      return nil
    }
  }

  /// Reads a configured private key.
  ///
  /// Throws `operation-not-allowed` that names the field.
  package init(pem: Secret<String>, field: String) throws(AuthError) {
    guard let signer = TokenSigner(pem: pem.reveal()) else {
      throw AuthError(
        .operationNotAllowed,
        "This is no private key on the curve P-256 and no RSA key of at least 2,048 bits.",
        field: field, remedy: "Give the key as PEM, from BEGIN to END.", step: .credential)
    }
    self = signer
  }

  /// The algorithm that a token's header names.
  package var algorithm: SigningAlgorithm {
    switch key {
    case .p256: .es256
    case .rsa: .rs256
    }
  }

  /// Signs claims.
  package func sign(_ claims: JSONValue, keyID: String? = nil) throws -> String {
    var header: [String: JSONValue] = ["alg": .string(algorithm.rawValue), "typ": "JWT"]
    header["kid"] = keyID.map(JSONValue.string)
    let encoded = Base64.url.text(JSONValue.object(header).text.utf8)
    let signed = TokenParts.signedPart(
      header: Array(encoded.utf8), claims: Array(claims.text.utf8))
    return TokenParts.text(signedPart: signed, signature: try signature(of: signed))
  }

  /// Signs the first two parts of a token.
  package func signature(of signedPart: [UInt8]) throws -> [UInt8] {
    let digest = SHA256.hash(data: signedPart)
    return switch key {
    case .p256(let key): Array(try key.signature(for: digest).rawRepresentation)
    // RS256 is PKCS #1 v1.5 (RFC 7518 3.3).
    case .rsa(let key):
      Array(try key.signature(for: digest, padding: .insecurePKCS1v1_5).rawRepresentation)
    }
  }

  /// The checker of the key's signatures.
  package var checker: SignatureChecker {
    switch key {
    case .p256(let key): .p256(key.publicKey)
    case .rsa(let key): .rsa(key.publicKey, .insecurePKCS1v1_5, SHA256.self)
    }
  }

  /// The public half.
  package var publicKey: PublicKeyText {
    get throws {
      switch key {
      case .p256(let key): PublicKeyText(key.publicKey)
      case .rsa(let key): try PublicKeyText(key.publicKey)
      }
    }
  }
}
