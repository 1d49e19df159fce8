/// The work of a hash computation, estimated from its parameters.
///
/// Amounts of one kind can be added: two halves take as long as the whole.
struct HashWork: Hashable, Sendable {
  let kind: String
  let amount: Int
}

extension LegacyHash {
  /// The values of ``shape`` that an algorithm allows; nil if its parameters alone decide the work.
  static func shapes(of algorithm: PasswordHashParameters.Algorithm) -> ClosedRange<Int>? {
    switch algorithm {
    case .bcrypt: bcryptCosts
    case .pbkdf2SHA256, .pbkdf2SHA512, .pbkdfSHA1: pbkdf2Lengths
    default: nil
    }
  }

  /// The most common shape, for imports that recorded none.
  static func usualShape(of algorithm: PasswordHashParameters.Algorithm) -> Int {
    algorithm == .bcrypt ? 10 : 32
  }

  /// A hash that no password matches, with the work of the most expensive one imported with the parameters.
  init(dearestWith parameters: PasswordHashParameters) {
    let shape = parameters.dearest ?? Self.usualShape(of: parameters.algorithm)
    switch parameters.algorithm {
    case .bcrypt: self.init(bcryptOfCost: shape, parameters)
    default: self.init(ofLength: shape, parameters)
    }
  }

  private init(bcryptOfCost cost: Int, _ parameters: PasswordHashParameters) {
    let digits = cost < 10 ? "0\(cost)" : "\(cost)"
    let text = "$2b$\(digits)$" + String(repeating: ".", count: 53)
    self.init(parameters, salt: [], stored: Array(text.utf8))
  }

  private init(ofLength length: Int, _ parameters: PasswordHashParameters) {
    self.init(
      parameters, salt: [UInt8](repeating: 0, count: 16),
      stored: [UInt8](repeating: 0, count: length))
  }

  /// The work of checking a password against this hash.
  var work: HashWork {
    let algorithm = parameters.algorithm.rawValue
    let rounds = max(1, parameters.rounds ?? 1)
    switch parameters.algorithm {
    case .scrypt:
      return HashWork(kind: "scrypt r=\(rounds) p=1", amount: 1 << (parameters.memoryCost ?? 0))
    case .standardScrypt:
      let (r, p) = (parameters.blockSize ?? 0, parameters.parallelization ?? 0)
      return HashWork(kind: "scrypt r=\(r) p=\(p)", amount: parameters.memoryCost ?? 0)
    case .bcrypt: return HashWork(kind: algorithm, amount: 1 << bcryptCost)
    case .pbkdf2SHA256, .pbkdf2SHA512, .pbkdfSHA1:
      return HashWork(kind: algorithm, amount: rounds * blocks)
    case .hmacSHA512, .hmacSHA256, .hmacSHA1, .hmacMD5, .sha512, .sha256, .sha1, .md5:
      return HashWork(kind: algorithm, amount: rounds * parameters.inputOrders.count)
    case .argon2:
      let given = parameters.argon2
      return HashWork(
        kind: "argon2 lanes=\(given?.parallelism ?? 0)",
        amount: (given?.memoryKiB ?? 0) * (given?.iterations ?? 0))
    }
  }

  /// The hashes to compute beside this one to reach the work of a more expensive hash of its kind.
  func remainder(to dearest: LegacyHash) -> [LegacyHash] {
    switch parameters.algorithm {
    case .bcrypt:
      // Each step doubles the work: 2^c + (2^c + … + 2^(d - 1)) = 2^d.
      guard bcryptCost < dearest.bcryptCost else { return [] }
      return (bcryptCost..<dearest.bcryptCost).map { LegacyHash(bcryptOfCost: $0, parameters) }
    case .pbkdf2SHA256, .pbkdf2SHA512, .pbkdfSHA1:
      guard blocks < dearest.blocks else { return [] }
      return [LegacyHash(ofLength: (dearest.blocks - blocks) * blockLength, parameters)]
    default: return []
    }
  }

  /// The part of the work that the parameters do not determine: see ``PasswordHashParameters/dearest``.
  var shape: Int? {
    switch parameters.algorithm {
    case .bcrypt: bcryptCost
    case .pbkdf2SHA256, .pbkdf2SHA512, .pbkdfSHA1: stored.count
    default: nil
    }
  }

  private var bcryptCost: Int { Int(String(decoding: stored[4..<6], as: UTF8.self)) ?? 0 }

  /// The number of blocks that PBKDF2 computes for a hash of this length, and the bytes in each.
  private var blocks: Int { (stored.count + blockLength - 1) / blockLength }
  private var blockLength: Int {
    switch parameters.algorithm {
    case .pbkdfSHA1: 20
    case .pbkdf2SHA512: 64
    default: 32
    }
  }
}
