extension PasswordHashParameters {
  /// Checks that the algorithm's parameters are present and in range.
  func validate() throws(PasswordHashParametersError) {
    try refuseUnused()
    switch algorithm {
    case .scrypt:
      try requireKey()
      try require(rounds, "rounds", in: 1...8)
      try require(memoryCost, "mem-cost", in: 1...14)
    case .standardScrypt:
      try validateStandardScrypt()
    case .bcrypt:
      break
    case .pbkdf2SHA256, .pbkdf2SHA512:
      // Firebase takes 120,000 at most; other systems use more.
      try require(rounds, "rounds", in: 0...1_000_000)
    case .pbkdfSHA1:
      try require(rounds, "rounds", in: 0...120_000)
    case .hmacSHA512, .hmacSHA256, .hmacSHA1, .hmacMD5:
      try requireKey()
    case .sha512, .sha256, .sha1:
      try require(rounds, "rounds", in: 1...8192)
    case .md5:
      try require(rounds, "rounds", in: 0...8192)
    case .argon2:
      try validateArgon2()
    }
  }

  // Firebase's own client bounds only dk-len. The others are bounded here, because one mistyped digit could let
  // every sign-in take all of the machine's memory.
  private func validateStandardScrypt() throws(PasswordHashParametersError) {
    let n = try require(memoryCost, "mem-cost", in: 2...(1 << 20))
    guard n & (n - 1) == 0 else {
      throw PasswordHashParametersError(
        field: "mem-cost", message: "\(n) is not a power of two.",
        remedy: "Give N itself, such as 16384.")
    }
    let r = try require(blockSize, "block-size", in: 1...256)
    try require(parallelization, "parallelization", in: 1...64)
    try require(dkLen, "dk-len", in: 1...1024)
    guard 128 * n * r <= 1 << 30 else {
      throw PasswordHashParametersError(
        field: "mem-cost",
        message: "With block-size \(r) one sign-in would take more than 1 GiB of memory.",
        remedy: "Give N itself, at most \((1 << 23) / r) with this block-size.")
    }
  }

  private func validateArgon2() throws(PasswordHashParametersError) {
    guard let argon2 else {
      throw PasswordHashParametersError(
        field: "argon2-hash-type", message: "ARGON2 needs its parameters.",
        remedy: "Give argon2-hash-type and the other argon2 parameters.")
    }
    try require(argon2.hashLength, "argon2-hash-length-bytes", in: 4...1024)
    try require(argon2.iterations, "argon2-iterations", in: 1...16)
    let lanes = try require(argon2.parallelism, "argon2-parallelism", in: 1...16)
    // RFC 9106, 3.1: at least 8 KiB for each lane. Firebase takes 32 MiB at most; Kratos and Auth0 use more.
    try require(argon2.memoryKiB, "argon2-memory-cost-kib", in: (8 * lanes)...262_144)
  }

  @discardableResult
  private func require(
    _ value: Int?, _ field: String, in range: ClosedRange<Int>
  ) throws(PasswordHashParametersError) -> Int {
    let allowed = "a whole number from \(range.lowerBound) to \(range.upperBound)"
    guard let value else {
      throw PasswordHashParametersError(
        field: field, message: "\(algorithm.rawValue) needs it.", remedy: "Give \(allowed).")
    }
    guard range.contains(value) else {
      throw PasswordHashParametersError(
        field: field, message: "\(value) is out of range for \(algorithm.rawValue).",
        remedy: "Give \(allowed).")
    }
    return value
  }

  private func requireKey() throws(PasswordHashParametersError) {
    guard let key, !key.isEmpty else {
      throw PasswordHashParametersError(
        field: "hash-key", message: "\(algorithm.rawValue) needs a key.",
        remedy: "Give the key of the project that exported the hashes, in base64.")
    }
  }

  private func refuseUnused() throws(PasswordHashParametersError) {
    let used = algorithm.fields
    for field in givenFields where !used.contains(field) {
      throw PasswordHashParametersError(
        field: field, message: "\(algorithm.rawValue) does not use it.",
        remedy: "Leave it out, or check the algorithm's name.")
    }
  }

  private var givenFields: [String] {
    let given: [(String, Bool)] = [
      ("hash-key", key != nil), ("salt-separator", saltSeparator != nil),
      ("rounds", rounds != nil), ("mem-cost", memoryCost != nil),
      ("parallelization", parallelization != nil), ("block-size", blockSize != nil),
      ("dk-len", dkLen != nil), ("hash-input-order", inputOrder != nil),
      ("argon2-hash-type", argon2 != nil),
    ]
    return given.filter(\.1).map(\.0)
  }
}

extension PasswordHashParameters.Algorithm {
  fileprivate var fields: Set<String> {
    switch self {
    case .scrypt: ["hash-key", "salt-separator", "rounds", "mem-cost"]
    case .standardScrypt: ["mem-cost", "parallelization", "block-size", "dk-len"]
    case .bcrypt: []
    case .pbkdf2SHA256, .pbkdf2SHA512, .pbkdfSHA1: ["rounds"]
    case .hmacSHA512, .hmacSHA256, .hmacSHA1, .hmacMD5: ["hash-key", "hash-input-order"]
    case .sha512, .sha256, .sha1, .md5: ["rounds", "hash-input-order"]
    case .argon2: ["argon2-hash-type"]
    }
  }
}
