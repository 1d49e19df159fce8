import AuthCore
import IdentityToolkitService
import NIOConcurrencyHelpers

/// Seals secrets for one store, with the store's key, or with a key that becomes the store's at its first secret.
///
/// A key is verified before its first use for sealing, so no key file is made for a store that already has a key.
final class StoreSealing: SecretSealing {
  private let key: StoreKey
  private let secrets: any SecretSealing
  private let state: NIOLockedValueBox<State>

  private enum State {
    /// Nothing was sealed so far, and the store's sealed texts were not yet opened with the key.
    case unverified(StoreKey.Witnesses)
    /// A text was sealed for a store without a key; the next commit records the key.
    case unmarked
    case verified
  }

  /// Reads what the store has sealed; the key itself is read at its first use.
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

  /// Decrypts a text; if the key is not the store's, the error says so.
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

  /// Records the key in the transaction that may store the first secret; throws if another key was recorded first.
  ///
  /// Returns true if the transaction commits the record of the key.
  fileprivate func mark(_ writer: any AccountWriter) throws -> Bool {
    guard case .unmarked = state.withLockedValue({ $0 }) else { return false }
    try key.open(try StoreKey.claim(try key.sealed(), writer))
    return true
  }

  fileprivate func isMarked() { state.withLockedValue { $0 = .verified } }
}

/// A store that records its key together with the first secret.
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
  /// The store itself, without the recording of the key.
  var unkeyed: any AccountStore { (self as? KeyedStore)?.base ?? self }

  /// Returns another store in place of this one, such as a part of it that is being filled.
  func replaced(by store: any AccountStore) -> any AccountStore {
    (self as? KeyedStore).map { KeyedStore(base: store, sealing: $0.sealing) } ?? store
  }
}
