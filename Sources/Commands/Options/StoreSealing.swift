import AuthCore
import IdentityToolkitService
import NIOConcurrencyHelpers

/// Seals for one store: with the key that the store has, or with one that becomes the store's with the first secret.
///
/// A key is compared before anything is sealed with it, so that no key file is made beside a store that has a key.
final class StoreSealing: SecretSealing {
  private let key: StoreKey
  private let secrets: any SecretSealing
  private let state: NIOLockedValueBox<State>

  private enum State {
    /// Nothing was sealed so far; what the store has shown is still to be opened.
    case unverified(StoreKey.Witnesses)
    /// Something was sealed for a store without a mark: the next commit makes it.
    case unmarked
    case verified
  }

  /// Reads what the store says of its key; the key itself is read when it is first needed.
  init(_ secrets: any SecretSealing, of store: any AccountStore) async throws {
    self.secrets = secrets
    key = StoreKey(store: store, secrets: secrets)
    state = NIOLockedValueBox(.unverified(try await key.witnesses()))
  }

  var isForAdmins: Bool { true }

  func seal(_ text: String, for purpose: String) throws -> String {
    try state.withLockedValue { state in
      guard case .unverified(let witnesses) = state else { return }
      try key.verify(witnesses)
      state = witnesses.haveKey ? .verified : .unmarked
    }
    return try secrets.seal(text, for: purpose)
  }

  /// Decrypts a text; an error says first of all that the key is not the store's.
  func open(_ sealed: String, for purpose: String) throws -> String {
    do {
      return try secrets.open(sealed, for: purpose)
    } catch let error as AuthError where error.code == .internalError {
      if case .unverified(let witnesses) = state.withLockedValue({ $0 }) {
        try key.verify(witnesses)
      }
      throw error
    }
  }

  /// Marks the store in the transaction that may keep the first secret; throws if another key was quicker.
  ///
  /// Returns whether the mark is in what the transaction commits.
  fileprivate func mark(_ writer: any AccountWriter) throws -> Bool {
    guard case .unmarked = state.withLockedValue({ $0 }) else { return false }
    try key.open(try StoreKey.claim(try key.sealed(), writer))
    return true
  }

  fileprivate func isMarked() { state.withLockedValue { $0 = .verified } }
}

/// A store that gets the mark of its key together with the first secret.
struct KeyedStore: AccountStore {
  let base: any AccountStore
  let sealing: StoreSealing

  func read<Result: Sendable>(
    from source: ReadSource, _ body: @escaping @Sendable (any AccountReader) throws -> Result
  ) async throws -> Result {
    try await base.read(from: source, body)
  }

  func settings(of scope: Scope) async throws -> ProjectSettings {
    try await base.settings(of: scope)
  }

  func transact<Result: Sendable>(
    _ purpose: TransactionPurpose,
    _ body: @escaping @Sendable (any AccountWriter) throws -> Ending<Result>
  ) async throws -> Result {
    guard purpose == .change else { return try await base.transact(purpose, body) }
    let (result, isMarked) = try await base.transact(purpose) { [sealing] writer in
      switch try body(writer) {
      case .commit(let result): .commit((result, try sealing.mark(writer)))
      case .takeBack(let result): .takeBack((result, false))
      }
    }
    if isMarked { sealing.isMarked() }
    return result
  }
}

extension AccountStore {
  /// The store itself, whatever is around it.
  var unkeyed: any AccountStore { (self as? KeyedStore)?.base ?? self }

  /// Another store in this one's place, such as a part of it that is being filled.
  func replaced(by store: any AccountStore) -> any AccountStore {
    (self as? KeyedStore).map { KeyedStore(base: store, sealing: $0.sealing) } ?? store
  }
}
