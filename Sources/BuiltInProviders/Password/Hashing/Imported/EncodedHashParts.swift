import AuthCore

/// The parts of a hash text between dollar signs: a scheme, settings such as `m=65536,t=3`, and fields.
struct EncodedHashParts {
  private let text: String
  private let scheme: String
  private let settings: [String: String]
  private let fields: [String]

  init(_ text: String) throws(PasswordHasherError) {
    self.text = text
    let parts = text.split(separator: "$", omittingEmptySubsequences: false).map(String.init)
    guard parts.count >= 3, parts[0].isEmpty else { throw .unknownScheme(text) }
    scheme = parts[1].lowercased()
    var settings: [String: String] = [:]
    var rest = parts[2...]
    // `v=19` has a part of its own, and the other settings have one. A field of base64 has `=` only at its end.
    let names = /(?:v|m|t|p|i|l|ln|n|r|ss|sk|pf)=[^=].*/
    while let part = rest.first, part.wholeMatch(of: names) != nil, rest.count > 1 {
      for pair in part.split(separator: ",") {
        guard let mark = pair.firstIndex(of: "=") else { throw .malformed("A setting is no pair.") }
        settings[String(pair[..<mark])] = String(pair[pair.index(after: mark)...])
      }
      rest = rest.dropFirst()
    }
    self.settings = settings
    fields = Array(rest)
  }

  func encodedHash() throws(PasswordHasherError) -> EncodedHash {
    switch scheme {
    case "argon2id", "argon2i", "argon2d": try argon2()
    case "pbkdf2-sha256", "pbkdf2-sha512", "pbkdf2-sha1", "pbkdf2": try pbkdf2()
    case "scrypt": try scrypt()
    case "fbscrypt": try supabaseScrypt()
    case "firescrypt": try kratosScrypt()
    case "md5", "sha1", "sha256", "sha512": try digest(scheme.uppercased())
    case "hmac-md5", "hmac-sha1", "hmac-sha256", "hmac-sha512": try hmac()
    default: throw .unknownScheme(text)
    }
  }

  private func argon2() throws(PasswordHasherError) -> EncodedHash {
    let (salt, hash) = (try bytes(0), try bytes(1))
    let version = settings["v"] == "16" ? "VERSION_10" : "VERSION_13"
    return EncodedHash(
      hash, salt: salt, by: "ARGON2",
      [
        "argon2-hash-type": .string("ARGON2_\(scheme.dropFirst(6).uppercased())"),
        "argon2-hash-length-bytes": .integer(Int64(hash.count)),
        "argon2-iterations": try number("t"), "argon2-parallelism": try number("p"),
        "argon2-memory-cost-kib": try number("m"),
        "argon2-version": .string(version),
      ])
  }

  /// Reads `$pbkdf2-sha256$i=100000,l=32$salt$hash`, and the form of passlib with the bare number.
  private func pbkdf2() throws(PasswordHasherError) -> EncodedHash {
    let algorithm =
      switch scheme {
      case "pbkdf2-sha256": "PBKDF2_SHA256"
      case "pbkdf2-sha512": "PBKDF2_SHA512"
      default: "PBKDF_SHA1"
      }
    guard settings.isEmpty else {
      return EncodedHash(
        try bytes(1), salt: try bytes(0), by: algorithm, ["rounds": try number("i")])
    }
    guard let rounds = fields.first.flatMap({ Int64($0) }) else {
      throw .malformed("The hash has no number of rounds.")
    }
    return EncodedHash(
      try bytes(2), salt: try bytes(1), by: algorithm, ["rounds": .integer(rounds)])
  }

  /// Reads `$scrypt$ln=…,r=8,p=1$salt$hash`; `ln` is N itself or, below 64, its logarithm.
  private func scrypt() throws(PasswordHasherError) -> EncodedHash {
    let (salt, hash) = (try bytes(0), try bytes(1))
    guard case .integer(let given) = try number("ln"), given > 0 else {
      throw .malformed("ln is not positive.")
    }
    return EncodedHash(
      hash, salt: salt, by: "STANDARD_SCRYPT",
      [
        "mem-cost": .integer(given < 64 ? 1 << given : given), "block-size": try number("r"),
        "parallelization": try number("p"), "dk-len": .integer(Int64(hash.count)),
      ])
  }

  /// Reads Firebase's scrypt as Supabase writes it: `$fbscrypt$v=1,n=14,r=8,p=1,ss=…,sk=…$salt$hash`.
  private func supabaseScrypt() throws(PasswordHasherError) -> EncodedHash {
    EncodedHash(
      try bytes(1), salt: try bytes(0), by: "SCRYPT",
      [
        "mem-cost": try number("n"), "rounds": try number("r"),
        "salt-separator": .string(settings["ss"] ?? ""), "hash-key": .string(settings["sk"] ?? ""),
      ])
  }

  /// Reads Firebase's scrypt as Kratos writes it: `$firescrypt$ln=14,r=8,p=1$salt$hash$separator$key`.
  private func kratosScrypt() throws(PasswordHasherError) -> EncodedHash {
    EncodedHash(
      try bytes(1), salt: try bytes(0), by: "SCRYPT",
      [
        "mem-cost": try number("ln"), "rounds": try number("r"),
        "salt-separator": .string(Base64.standard.text(try bytes(2))),
        "hash-key": .string(Base64.standard.text(try bytes(3))),
      ])
  }

  /// Reads a digest of Kratos: `$md5$hash`, or `$md5$pf=…$salt$hash` with the order of salt and password.
  private func digest(_ algorithm: String) throws(PasswordHasherError) -> EncodedHash {
    guard let format = settings["pf"] else {
      guard fields.count == 1 else { throw .malformed("The order of the salt is missing.") }
      return EncodedHash(try bytes(0), salt: nil, by: algorithm, ["rounds": 1])
    }
    let orders = ["{SALT}{PASSWORD}": "SALT_FIRST", "{PASSWORD}{SALT}": "PASSWORD_FIRST"]
    let order = Base64.bytes(lenient: format.utf8)
      .flatMap { orders[String(decoding: $0, as: UTF8.self)] }
    guard let order else { throw .malformed("Salt and password are joined in an unknown way.") }
    return EncodedHash(
      try bytes(1), salt: try bytes(0), by: algorithm,
      ["rounds": 1, "hash-input-order": .string(order)])
  }

  /// Reads an HMAC of Kratos: `$hmac-sha256$hash$key`, of the password alone.
  private func hmac() throws(PasswordHasherError) -> EncodedHash {
    EncodedHash(
      try bytes(0), salt: nil, by: "HMAC_\(scheme.dropFirst(5).uppercased())",
      ["hash-key": .string(Base64.standard.text(try bytes(1)))])
  }

  /// The bytes of a field; passlib writes `.` for `+`.
  private func bytes(_ index: Int) throws(PasswordHasherError) -> [UInt8] {
    guard fields.indices.contains(index), !fields[index].isEmpty,
      let bytes = Base64.bytes(lenient: fields[index].replacing(".", with: "+").utf8)
    else { throw .malformed("A part of the hash is missing or is not base64.") }
    return bytes
  }

  private func number(_ name: String) throws(PasswordHasherError) -> JSONValue {
    guard let text = settings[name], let number = Int64(text), number >= 0 else {
      throw .malformed("The setting \(name) of the hash is missing or no number.")
    }
    return .integer(number)
  }
}
