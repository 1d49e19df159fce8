import AuthCore

extension ImportedPasswordHash {
  /// Returns hash and salt in the form of Firebase's tools, standard base64 with padding; nil if the hash does not
  /// fit the parameters.
  ///
  /// An MD5 digest is its hexadecimal text in base64; every other hash is its bytes.
  public func firebaseColumns(
    _ parameters: PasswordHashParameters
  ) -> (hash: String, salt: String?)? {
    guard let legacy = try? LegacyHash(self, parameters) else { return nil }
    let hash = legacy.stored
    let salt = Base64.standard.text(legacy.salt)
    return (
      parameters.algorithm == .md5
        ? Base64.standard.text(hash.hexadecimal.utf8) : Base64.standard.text(hash),
      salt.isEmpty ? nil : salt
    )
  }
}
