import AuthCore

/// A hash of AuthGraph's own kind: Argon2id in the PHC text form.
struct OwnPasswordHash {
  let cost: PasswordHasher.Cost
  let salt: [UInt8]
  let digest: [UInt8]

  static let prefix = "$argon2id$"
  static let saltLength = 16
  static let digestLength = 32

  /// Hashes a new password.
  init(_ password: [UInt8], salt: [UInt8], cost: PasswordHasher.Cost) throws(PasswordHasherError) {
    self.cost = cost
    self.salt = salt
    digest = try cost.argon2(length: Self.digestLength).hash(password, salt: salt)
  }

  /// Parses a text, and bounds the cost of checking it.
  init(parsing text: String) throws(PasswordHasherError) {
    let form = /\$argon2id\$v=19\$m=([0-9]{1,7}),t=([0-9]{1,3}),p=([0-9]{1,2})\$([^$]+)\$([^$]+)/
    guard let parts = text.wholeMatch(of: form),
      let memory = Int(parts.1), let iterations = Int(parts.2), let lanes = Int(parts.3),
      PasswordHasher.Cost.isValid(memoryKiB: memory, iterations: iterations, parallelism: lanes),
      let salt = Base64.bytes(lenient: parts.4.utf8), (8...64).contains(salt.count),
      let digest = Base64.bytes(lenient: parts.5.utf8), (16...128).contains(digest.count)
    else { throw .malformed("The stored text is not an Argon2id hash within our limits.") }
    cost = PasswordHasher.Cost(memoryKiB: memory, iterations: iterations, parallelism: lanes)
    self.salt = salt
    self.digest = digest
  }

  var encoded: String {
    "\(Self.prefix)v=19$m=\(cost.memoryKiB),t=\(cost.iterations),p=\(cost.parallelism)"
      + "$\(Base64.standard.unpaddedText(salt))$\(Base64.standard.unpaddedText(digest))"
  }

  func matches(_ password: [UInt8]) throws(PasswordHasherError) -> Bool {
    let computed = try cost.argon2(length: digest.count).hash(password, salt: salt)
    return computed.equalsInConstantTime(digest)
  }

  /// Tells whether a new hash would have other parameters.
  func isOutdated(for wanted: PasswordHasher.Cost) -> Bool {
    cost != wanted || salt.count != Self.saltLength || digest.count != Self.digestLength
  }
}

extension PasswordHasher.Cost {
  fileprivate func argon2(length: Int) -> Argon2 {
    Argon2(
      memoryKiB: memoryKiB, iterations: iterations, parallelism: parallelism, length: length)
  }
}

extension PasswordHasher {
  /// Tells whether a text is a hash that AuthGraph may have made, and that needs no parameters to be checked.
  public static func isOwnHash(_ text: String) -> Bool {
    (try? OwnPasswordHash(parsing: text)) != nil
  }
}
