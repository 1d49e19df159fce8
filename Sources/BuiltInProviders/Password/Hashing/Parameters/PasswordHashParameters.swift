public import Foundation

/// The parameters with which a project hashed its imported passwords.
///
/// The names are those of Firebase's `auth:import`. A value is always valid: initialisers and decoding check the limits
/// that Firebase documents.
public struct PasswordHashParameters: Codable, Hashable, Sendable {
  /// A hash algorithm, with its name in Firebase's REST API.
  public enum Algorithm: String, Codable, CaseIterable, Hashable, Sendable {
    case scrypt = "SCRYPT"
    case standardScrypt = "STANDARD_SCRYPT"
    case bcrypt = "BCRYPT"
    case pbkdf2SHA256 = "PBKDF2_SHA256"
    /// Keycloak's and other systems' variant, which Firebase does not have.
    case pbkdf2SHA512 = "PBKDF2_SHA512"
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

  /// The order of salt and password in an algorithm that joins the two.
  ///
  /// If an import names no order, Firebase's default applies: salt first for a digest, password first for an HMAC.
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

    /// The name that `accounts:batchCreate` uses.
    public var passwordHashOrder: String {
      self == .saltFirst ? "SALT_AND_PASSWORD" : "PASSWORD_AND_SALT"
    }
  }

  /// The hash algorithm.
  public let algorithm: Algorithm
  /// The signer key of `SCRYPT` and the HMACs.
  public let key: Data?
  /// The bytes that `SCRYPT` appends to each salt.
  public let saltSeparator: Data?
  /// The number of repetitions; for `SCRYPT` the block size r.
  public let rounds: Int?
  /// The exponent of N for `SCRYPT`, and N itself for `STANDARD_SCRYPT`.
  public let memoryCost: Int?
  /// The parallelization parameter p of `STANDARD_SCRYPT`.
  public let parallelization: Int?
  /// The block size r of `STANDARD_SCRYPT`.
  public let blockSize: Int?
  /// The length of the derived key of `STANDARD_SCRYPT`, in bytes.
  public let dkLen: Int?
  /// The order of salt and password; nil if the import named none.
  public let inputOrder: InputOrder?
  /// The parameters of `ARGON2`.
  public let argon2: Argon2?
  /// The highest cost of a hash imported with these parameters, if they alone do not determine the cost.
  ///
  /// It is the cost factor of a `BCRYPT` hash, or the length of a PBKDF2 hash in bytes. It is not part of ``id``.
  public internal(set) var dearest: Int?

  /// Makes parameters; throws if one is missing, out of its limits, or not used by the algorithm.
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

  /// Decodes and checks parameters.
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

/// An error that names the bad parameter, the reason and a remedy.
///
/// It never contains a key.
public struct PasswordHashParametersError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The parameter's name on the command line and in the file, such as `mem-cost`.
  public let field: String
  /// The reason, in one sentence.
  public let message: String
  /// The remedy, in one sentence.
  public let remedy: String

  /// The field, the reason and the remedy.
  public var description: String { "\(field): \(message) \(remedy)" }
}
