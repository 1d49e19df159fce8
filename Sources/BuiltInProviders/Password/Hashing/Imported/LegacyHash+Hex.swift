import AuthCore

extension LegacyHash {
  /// Decodes the text of a hash.
  ///
  /// It is base64, but a digest or an HMAC may also be the hex text that most software prints, plain or in base64:
  /// Firebase takes MD5 hashes as hex. The three forms differ in length, so they cannot be confused.
  static func bytes(
    of text: String, _ algorithm: PasswordHashParameters.Algorithm
  ) -> [UInt8]? {
    guard let bytes = Base64.bytes(lenient: text.utf8) else { return nil }
    guard let length = digestLength(algorithm), bytes.count != length else { return bytes }
    return [bytes, Array(text.utf8)].lazy
      .filter { $0.count == 2 * length }.compactMap(Self.bytes(ofHex:)).first ?? bytes
  }

  /// The length of the algorithm's digest in bytes; nil if its hash is not a plain digest.
  static func digestLength(_ algorithm: PasswordHashParameters.Algorithm) -> Int? {
    switch algorithm {
    case .hmacSHA512, .sha512: 64
    case .hmacSHA256, .sha256: 32
    case .hmacSHA1, .sha1: 20
    case .hmacMD5, .md5: 16
    case .scrypt, .standardScrypt, .bcrypt, .pbkdf2SHA256, .pbkdf2SHA512, .pbkdfSHA1, .argon2:
      nil
    }
  }

  private static func bytes(ofHex digits: [UInt8]) -> [UInt8]? {
    let values = digits.compactMap(\.hexadecimalValue)
    guard values.count == digits.count else { return nil }
    return stride(from: 0, to: values.count, by: 2).map { values[$0] << 4 | values[$0 + 1] }
  }
}
