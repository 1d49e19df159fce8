import AuthCore

extension ImportedPasswordHash {
  /// Hash and salt in the one form that Firebase's tools take, standard base64 with padding; nil where the hash cannot be
  /// one of the parameters'.
  ///
  /// A digest of MD5 is its hexadecimal text in base64, every other hash its bytes.
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
