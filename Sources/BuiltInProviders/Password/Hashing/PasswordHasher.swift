import Foundation

/// Makes hashes of passwords and checks passwords against hashes, ours and imported ones.
///
/// New hashes are Argon2id. The computations run on threads of their own, at most
/// `maximumConcurrent` at once; copies of a hasher share them. Password bytes are used as given,
/// without Unicode normalisation, as Firebase does.
public struct PasswordHasher: Sendable {
  /// Says what became of a check.
  public enum Verification: Hashable, Sendable {
    case mismatch
    /// The password is right; `rehashNeeded` when the hash is imported or of another cost.
    case match(rehashNeeded: Bool)
  }

  /// Bounds what anyone can make us hash.
  public static let maximumPasswordBytes = 4096

  private let cost: Cost
  private let queue: PasswordWorkQueue

  /// Starts a hasher.
  ///
  /// Without `maximumConcurrent` it takes as many threads as the machine has cores.
  public init(cost: Cost = .owasp, maximumConcurrent: Int? = nil) {
    let threads = maximumConcurrent ?? ProcessInfo.processInfo.activeProcessorCount
    precondition(threads > 0, "Hashing takes at least one thread.")
    self.cost = cost
    self.queue = PasswordWorkQueue(maximumConcurrent: threads)
  }

  /// Makes the text to store for a password, with a salt from the system's generator.
  ///
  /// Throws `password-too-long`, and `CancellationError` for a task cancelled while it waits.
  public func hash(_ password: String) async throws -> String {
    let bytes = try Self.bytes(of: password)
    return try await queue.run { [cost] in
      try OwnPasswordHash(bytes, salt: Self.salt(), cost: cost).encoded
    }
  }

  /// Finds how an imported hash was made, by the identifier that the hash names.
  public typealias ParameterLookup = @Sendable (String) async throws -> PasswordHashParameters?

  /// Checks a password against a stored text; `parameters` is asked for imported hashes only.
  ///
  /// Throws `password-too-long`, `malformed-hash` for a text that nothing here wrote, and
  /// `unknown-parameters` for an imported hash whose parameters are gone.
  public func verify(
    _ password: String, against encoded: String, parameters: ParameterLookup = { _ in nil }
  ) async throws -> Verification {
    let bytes = try Self.bytes(of: password)
    if let imported = ImportedPasswordHash(parsing: encoded) {
      guard let known = try await parameters(imported.parameterSetID) else {
        throw PasswordHasherError.unknownParameters(imported.parameterSetID)
      }
      let legacy = try LegacyHash(imported, known)
      return try await queue.run {
        try legacy.matches(bytes) ? .match(rehashNeeded: true) : .mismatch
      }
    }
    let own = try OwnPasswordHash(parsing: encoded)
    return try await queue.run { [cost] in
      try own.matches(bytes) ? .match(rehashNeeded: own.isOutdated(for: cost)) : .mismatch
    }
  }

  /// Does the work of one check of our own kind, and nothing with it.
  ///
  /// For an address that nobody has: the answer takes as long as for one that somebody has.
  public func verifyAgainstNothing(_ password: String) async {
    do {
      let bytes = try Self.bytes(of: password)
      _ = try await queue.run { [cost] in
        try OwnPasswordHash(bytes, salt: Self.salt(), cost: cost).digest
      }
    } catch {
      // There is no outcome to report: too long a password takes no work on the other path either.
    }
  }

  private static func bytes(of password: String) throws(PasswordHasherError) -> [UInt8] {
    guard password.utf8.count <= maximumPasswordBytes else {
      throw PasswordHasherError(
        code: .passwordTooLong,
        message: "A password has at most \(maximumPasswordBytes) bytes.",
        remedy: "Choose a shorter one.")
    }
    return Array(password.utf8)
  }

  private static func salt() -> [UInt8] {
    var generator = SystemRandomNumberGenerator()
    return (0..<OwnPasswordHash.saltLength).map { _ in
      UInt8.random(in: .min ... .max, using: &generator)
    }
  }
}
