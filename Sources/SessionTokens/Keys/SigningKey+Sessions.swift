import AuthCore

extension SigningKey {
  /// Reads a stored key.
  ///
  /// - Throws: `internal-error` if the text is no key of its algorithm.
  init(_ stored: StoredKey) throws(AuthError) {
    guard let key = SigningKey(pem: stored.privateKey, keyID: stored.id),
      key.algorithm == stored.algorithm
    else {
      throw AuthError(
        .internalError, "The signing key \(stored.id) is damaged.",
        remedy: "Bring the store back from a backup, or rotate the keys.", step: .token)
    }
    self = key
  }

  /// Signs a session's claims, given as JSON, off the caller's actor, because RSA takes half a millisecond.
  @concurrent func sign(_ claims: [UInt8], _ session: SessionHeader) async throws -> String {
    var members: [String: JSONValue] = [:]
    session.add(to: &members)
    return try sign(claims, header: members)
  }
}
