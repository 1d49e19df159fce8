import AuthCore
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
  private let observe: (@Sendable (HashWork) -> Void)?

  /// Starts a hasher.
  ///
  /// Without `maximumConcurrent` it takes as many threads as the machine has cores.
  public init(cost: Cost = .owasp, maximumConcurrent: Int? = nil) {
    self.init(cost: cost, maximumConcurrent: maximumConcurrent, observe: nil)
  }

  /// Starts a hasher that announces each computation of a check before it makes it.
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
    self.queue = PasswordWorkQueue(maximumConcurrent: threads)
  }

  /// Makes the text to store for a password, with a salt from the system's generator.
  ///
  /// Throws `password-too-long`, and `CancellationError` for a task cancelled while it waits.
  public func hash(_ password: String) async throws -> String {
    let bytes = try Self.bytes(of: password)
    return try await queue.run { [cost] in
      let salt = RandomBytes.make(OwnPasswordHash.saltLength)
      return try OwnPasswordHash(bytes, salt: salt, cost: cost).encoded
    }
  }

  /// Checks a password against a stored text, or against nothing for an address that nobody has.
  ///
  /// Each check that fails takes the same work for the same `imported`, whatever is stored: give all parameters of the
  /// scope. Only a hash that is dearer than ``PasswordHashParameters/dearest`` says, or than a new one of our own,
  /// takes longer.
  ///
  /// Throws `password-too-long`, `malformed-hash` for a text that nothing here wrote, and
  /// `unknown-parameters` for an imported hash whose parameters are gone.
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
