import AuthCore

/// Checks passwords against one imported hash of any algorithm.
///
/// Each family of algorithms has its own extension.
struct LegacyHash {
  let parameters: PasswordHashParameters
  let salt: [UInt8]
  let stored: [UInt8]

  /// Decodes the texts and refuses a hash that the algorithm cannot have made.
  init(
    _ imported: ImportedPasswordHash, _ parameters: PasswordHashParameters
  ) throws(PasswordHasherError) {
    guard let salt = Base64.bytes(lenient: imported.salt.utf8),
      let stored = Self.bytes(of: imported.hash, parameters.algorithm)
    else { throw .malformed("The salt or the hash is not base64.") }
    self.init(parameters, salt: salt, stored: stored)
    try checkShape()
  }

  init(_ parameters: PasswordHashParameters, salt: [UInt8], stored: [UInt8]) {
    self.parameters = parameters
    self.salt = salt
    self.stored = stored
  }

  /// Tells whether the password gives the stored hash; blocks until the computation ends.
  ///
  /// Every password takes the same work.
  func matches(_ password: [UInt8]) throws(PasswordHasherError) -> Bool {
    if parameters.algorithm == .bcrypt { return try bcryptMatches(password) }
    var isMatch = false
    for computed in try computed(password) {
      isMatch = computed.equalsInConstantTime(stored) || isMatch
    }
    return isMatch
  }

  /// The hashes of the password, one for each order of salt and password to try.
  private func computed(_ password: [UInt8]) throws(PasswordHasherError) -> [[UInt8]] {
    switch parameters.algorithm {
    case .scrypt: [try modifiedScrypt(password)]
    case .standardScrypt: [try standardScrypt(password)]
    case .bcrypt: throw .failed("BCRYPT")
    case .pbkdf2SHA256, .pbkdf2SHA512, .pbkdfSHA1: [try pbkdf2(password)]
    case .hmacSHA512, .hmacSHA256, .hmacSHA1, .hmacMD5: joined(password).map(hmac)
    case .sha512, .sha256, .sha1, .md5: joined(password).map(repeatedDigest)
    case .argon2: [try argon2(password)]
    }
  }

  private func joined(_ password: [UInt8]) -> [[UInt8]] {
    parameters.inputOrders.map { $0 == .saltFirst ? salt + password : password + salt }
  }

  private func checkShape() throws(PasswordHasherError) {
    if parameters.algorithm == .bcrypt { return try checkBcrypt() }
    // It would pass for a PBKDF2 key and match no password.
    guard !stored.starts(with: "$2".utf8) || stored.count != Self.bcryptLength else {
      throw .malformed(
        "The hash is a text of BCRYPT and not one of \(parameters.algorithm.rawValue).",
        remedy: "Import the records of each kind with its own options.")
    }
    if parameters.algorithm == .argon2, salt.count < 8 {
      throw .malformed("ARGON2 takes no salt of less than 8 bytes.")
    }
    guard lengths.contains(stored.count) else {
      throw .malformed(
        "A hash of \(stored.count) bytes is not one of \(parameters.algorithm.rawValue).")
    }
  }

  private var lengths: ClosedRange<Int> {
    func exactly(_ count: Int) -> ClosedRange<Int> { count...count }
    return switch parameters.algorithm {
    case .scrypt: exactly(parameters.key?.count ?? 0)
    case .standardScrypt: exactly(parameters.dkLen ?? 0)
    case .bcrypt: exactly(Self.bcryptLength)
    case .pbkdf2SHA256, .pbkdf2SHA512, .pbkdfSHA1: Self.pbkdf2Lengths
    case .hmacSHA512, .sha512, .hmacSHA256, .sha256, .hmacSHA1, .sha1, .hmacMD5, .md5:
      exactly(Self.digestLength(parameters.algorithm) ?? 0)
    case .argon2: exactly(parameters.argon2?.hashLength ?? 0)
    }
  }
}
