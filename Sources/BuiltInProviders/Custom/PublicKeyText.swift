import AuthCore

/// The public key of an issuer of custom tokens, as an admin configures it: in PEM or as a JWK.
struct PublicKeyText: Sendable {
  /// The key without a key ID, so that it verifies a token whatever key ID that names.
  let text: String

  /// Reads a key; throws `operation-not-allowed` that names the field.
  init(_ text: String, field: String) throws(AuthError) {
    let key: VerificationKey?
    if case .object(var members)? = try? JSONValue(text: text) {
      guard members["d"] == nil, members["k"] == nil else {
        throw Self.refusal("This is a private key.", field)
      }
      members["kid"] = nil
      self.text = JSONValue.object(members).text
      key = VerificationKey(jwk: .object(members))
    } else {
      self.text = text
      key = VerificationKey(pem: text)
    }
    guard let key, SigningKey.algorithms.contains(where: { key.checkers[$0] != nil }) else {
      throw Self.refusal("This is no public key of a kind that signs custom tokens.", field)
    }
  }

  private static func refusal(_ message: String, _ field: String) -> AuthError {
    AuthError(
      .operationNotAllowed, message, field: field,
      remedy: "Give a public key on the curve P-256 or of RSA, as PEM or as a JWK.",
      step: .credential)
  }
}
