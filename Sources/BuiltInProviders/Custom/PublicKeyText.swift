package import AuthCore
import Crypto
import CryptoExtras

/// A public key as an admin configures it, in PEM or as a JWK, and as the token verifier takes it.
package struct PublicKeyText: Sendable {
  /// The key as a JSON Web Key (RFC 7517).
  package let jwk: JSONValue

  private init(jwk: JSONValue) {
    self.jwk = jwk
  }

  init(_ key: P256.Signing.PublicKey) {
    let point = key.rawRepresentation
    self.init(jwk: [
      "kty": "EC", "crv": "P-256", "alg": "ES256", "use": "sig",
      "x": .string(Base64.url.text(point.prefix(32))),
      "y": .string(Base64.url.text(point.suffix(32))),
    ])
  }

  init(_ key: _RSA.Signing.PublicKey) throws {
    let numbers = try key.getKeyPrimitives()
    self.init(jwk: [
      "kty": "RSA", "alg": "RS256", "use": "sig",
      "n": .string(Base64.url.text(numbers.modulus)),
      "e": .string(Base64.url.text(numbers.publicExponent)),
    ])
  }

  /// Reads a key; throws `operation-not-allowed` that names the field.
  init(_ text: String, field: String) throws {
    if let key = try? P256.Signing.PublicKey(pemRepresentation: text) {
      self.init(key)
    } else if let key = try? _RSA.Signing.PublicKey(pemRepresentation: text) {
      try self.init(key)
    } else if case .object(let members)? = try? JSONValue(text: text), members["kty"] != nil {
      guard members["d"] == nil, members["k"] == nil else {
        throw Self.refusal("This is a private key.", field)
      }
      self.init(jwk: .object(members))
    } else {
      throw Self.refusal("This is no public key of a kind that signs custom tokens.", field)
    }
  }

  /// The key with a key ID, as a key set holds it.
  package func named(_ keyID: String?) -> JSONValue {
    guard let keyID, case .object(var members) = jwk else { return jwk }
    members["kid"] = .string(keyID)
    return .object(members)
  }

  private static func refusal(_ message: String, _ field: String) -> AuthError {
    AuthError(
      .operationNotAllowed, message, field: field,
      remedy: "Give a public key on the curve P-256 or of RSA, as PEM or as a JWK.",
      step: .credential)
  }
}
