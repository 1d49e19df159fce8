public import Foundation

/// Describes how a project hashed the passwords that it brings along.
///
/// The names are those of Firebase's `auth:import`. A value is always valid: every initialiser, and
/// decoding, checks it against the limits that Firebase documents.
public struct PasswordHashParameters: Codable, Hashable, Sendable {
  /// Names an algorithm as Firebase's wire does.
  public enum Algorithm: String, Codable, CaseIterable, Hashable, Sendable {
    case scrypt = "SCRYPT"
    case standardScrypt = "STANDARD_SCRYPT"
    case bcrypt = "BCRYPT"
    case pbkdf2SHA256 = "PBKDF2_SHA256"
    case pbkdfSHA1 = "PBKDF_SHA1"
    case hmacSHA512 = "HMAC_SHA512"
    case hmacSHA256 = "HMAC_SHA256"
    case hmacSHA1 = "HMAC_SHA1"
    case hmacMD5 = "HMAC_MD5"
    case sha512 = "SHA512"
    case sha256 = "SHA256"
    case sha1 = "SHA1"
    case md5 = "MD5"
    case argon2 = "ARGON2"
  }

  /// Says whether the salt or the password comes first where an algorithm joins the two.
  ///
  /// An import that names neither means Firebase's default: a digest has the salt first, an HMAC the password.
  public enum InputOrder: String, Codable, CaseIterable, Hashable, Sendable {
    case saltFirst = "SALT_FIRST"
    case passwordFirst = "PASSWORD_FIRST"

    /// Reads the command line's name (`SALT_FIRST`) or the REST one (`SALT_AND_PASSWORD`).
    public init?(named name: String) {
      switch name.uppercased() {
      case "SALT_FIRST", "SALT_AND_PASSWORD": self = .saltFirst
      case "PASSWORD_FIRST", "PASSWORD_AND_SALT": self = .passwordFirst
      default: return nil
      }
    }

    /// Gives the name that `accounts:batchCreate` uses.
    public var passwordHashOrder: String {
      self == .saltFirst ? "SALT_AND_PASSWORD" : "PASSWORD_AND_SALT"
    }
  }

  public let algorithm: Algorithm
  /// Holds the signer key of `SCRYPT` and the HMACs.
  public let key: Data?
  /// Holds what `SCRYPT` appends to each salt.
  public let saltSeparator: Data?
  /// Counts the repetitions; for `SCRYPT` it is the block size r.
  public let rounds: Int?
  /// Holds the exponent of N for `SCRYPT`, and N itself for `STANDARD_SCRYPT`.
  public let memoryCost: Int?
  public let parallelization: Int?
  public let blockSize: Int?
  public let dkLen: Int?
  public let inputOrder: InputOrder?
  public let argon2: Argon2?
  /// The dearest hash that was imported with these parameters, where they alone do not tell its work.
  ///
  /// That is the cost of a `BCRYPT` text, and the length in bytes of a PBKDF2 hash. It is no part of ``id``.
  public internal(set) var dearest: Int?

  /// Puts parameters together, refusing what the algorithm lacks, does not use, or does not allow.
  public init(
    algorithm: Algorithm, key: Data? = nil, saltSeparator: Data? = nil, rounds: Int? = nil,
    memoryCost: Int? = nil, parallelization: Int? = nil, blockSize: Int? = nil,
    dkLen: Int? = nil, inputOrder: InputOrder? = nil, argon2: Argon2? = nil
  ) throws(PasswordHashParametersError) {
    self.algorithm = algorithm
    self.key = key
    self.saltSeparator = saltSeparator
    self.rounds = rounds
    self.memoryCost = memoryCost
    self.parallelization = parallelization
    self.blockSize = blockSize
    self.dkLen = dkLen
    self.inputOrder = inputOrder
    self.argon2 = argon2
    try validate()
  }

  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    try self.init(
      algorithm: values.decode(Algorithm.self, forKey: .algorithm),
      key: values.decodeIfPresent(Data.self, forKey: .key),
      saltSeparator: values.decodeIfPresent(Data.self, forKey: .saltSeparator),
      rounds: values.decodeIfPresent(Int.self, forKey: .rounds),
      memoryCost: values.decodeIfPresent(Int.self, forKey: .memoryCost),
      parallelization: values.decodeIfPresent(Int.self, forKey: .parallelization),
      blockSize: values.decodeIfPresent(Int.self, forKey: .blockSize),
      dkLen: values.decodeIfPresent(Int.self, forKey: .dkLen),
      inputOrder: values.decodeIfPresent(InputOrder.self, forKey: .inputOrder),
      argon2: values.decodeIfPresent(Argon2.self, forKey: .argon2))
    dearest = try values.decodeIfPresent(Int.self, forKey: .dearest)
      .flatMap { LegacyHash.shapes(of: algorithm)?.contains($0) == true ? $0 : nil }
  }
}

/// Says which parameter is wrong, why, and what to do about it.
///
/// Never contains a key.
public struct PasswordHashParametersError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Names the parameter as the command line and the file do, such as `mem-cost`.
  public let field: String
  public let message: String
  public let remedy: String

  public var description: String { "\(field): \(message) \(remedy)" }
}
