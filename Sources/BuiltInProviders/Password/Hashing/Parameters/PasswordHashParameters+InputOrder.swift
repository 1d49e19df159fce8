extension PasswordHashParameters {
  /// The orders of salt and password to try: the one that the import named, or else both, the default first.
  ///
  /// The default is Firebase's: a digest (`SHA1`, `SHA256`, `SHA512`, `MD5`) has the salt before the password, an
  /// HMAC the password before the salt. The other order is tried for accounts that were imported while all
  /// algorithms had one default. Empty for an algorithm that does not join the two.
  var inputOrders: [InputOrder] {
    switch algorithm {
    case .sha512, .sha256, .sha1, .md5: inputOrder.map { [$0] } ?? [.saltFirst, .passwordFirst]
    case .hmacSHA512, .hmacSHA256, .hmacSHA1, .hmacMD5:
      inputOrder.map { [$0] } ?? [.passwordFirst, .saltFirst]
    case .scrypt, .standardScrypt, .bcrypt, .pbkdf2SHA256, .pbkdf2SHA512, .pbkdfSHA1, .argon2:
      []
    }
  }
}
