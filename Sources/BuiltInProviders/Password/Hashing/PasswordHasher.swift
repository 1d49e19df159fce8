import AuthCore
import Foundation

/// Makes password hashes, and checks passwords against its own and imported hashes.
///
/// New hashes are Argon2id. The computations run on their own threads, at most `maximumConcurrent` at once; copies
/// of a hasher share them. Password bytes are used as given, without Unicode normalisation, as in Firebase.
public struct PasswordHasher: Sendable {
  /// The result of a check.
  public enum Verification: Hashable, Sendable {
    case mismatch
    /// The password is right; `rehashNeeded` if the hash is imported or has another cost.
    case match(rehashNeeded: Bool)
  }

  /// The longest password in bytes, to bound the work that a client can cause.
  public static let maximumPasswordBytes = 4096

  private let cost: Cost
  private let queue: WorkQueue
  private let observe: (@Sendable (HashWork) -> Void)?

  /// Starts a hasher.
  ///
  /// Without `maximumConcurrent` it uses as many threads as the machine has cores.
  public init(cost: Cost = .owasp, maximumConcurrent: Int? = nil) {
    self.init(cost: cost, maximumConcurrent: maximumConcurrent, observe: nil)
  }

  /// Starts a hasher that reports each computation of a check before it begins.
  package init(
    cost: Cost, observing observe: @escaping @Sendable (_ kind: String, _ amount: Int) -> Void
  ) {
    self.init(cost: cost, maximumConcurrent: nil) { observe($0.kind, $0.amount) }
  }

  private init(
    cost: Cost, maximumConcurrent: Int?, observe: (@Sendable (HashWork) -> Void)?
  ) {
    let threads = maximumConcurrent ?? ProcessInfo.processInfo.activeProcessorCount
    precondition(threads > 0, "Hashing takes at least one thread.")
    self.cost = cost
    self.observe = observe
    self.queue = WorkQueue(maximumConcurrent: threads)
  }

  /// Makes the text to store for a password, with a salt from the system's generator.
  ///
  /// Throws `password-too-long`, and `CancellationError` if the task is cancelled while it waits.
  public func hash(_ password: String) async throws -> String {
    let bytes = try Self.bytes(of: password)
    return try await queue.run { [cost] in
      let salt = RandomBytes.make(OwnPasswordHash.saltLength)
      return try OwnPasswordHash(bytes, salt: salt, cost: cost).encoded
    }
  }

  /// Checks a password against a stored text, or against nothing for an unknown address.
  ///
  /// Each failed check takes the same work for the same `imported`, whatever is stored, so pass all parameters of
  /// the scope. Only a hash that is more expensive than ``PasswordHashParameters/dearest`` or than a new own hash
  /// takes longer.
  ///
  /// Throws `password-too-long`, `malformed-hash` for a text that AuthGraph did not write, and `unknown-parameters`
  /// for an imported hash whose parameters are gone.
  public func verify(
    _ password: String, against encoded: String?, imported: [PasswordHashParameters] = []
  ) async throws -> Verification {
    let bytes = try Self.bytes(of: password)
    let stored = Self.stored(encoded, imported)
    let check = EqualCheck(cost, imported, observe)
    return try await queue.run { try check.verify(bytes, against: stored) }
  }

  private static func stored(
    _ encoded: String?, _ imported: [PasswordHashParameters]
  ) -> EqualCheck.Stored {
    guard let encoded else { return .nothing(nil) }
    do throws(PasswordHasherError) {
      guard let hash = ImportedPasswordHash(parsing: encoded) else {
        return .own(try OwnPasswordHash(parsing: encoded))
      }
      guard let known = imported.first(where: { $0.id == hash.parameterSetID }) else {
        return .nothing(.unknownParameters(hash.parameterSetID))
      }
      return .imported(try LegacyHash(hash, known))
    } catch {
      return .nothing(error)
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
}
