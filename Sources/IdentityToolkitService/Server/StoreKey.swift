public import AuthCore
import SessionTokens

/// The key that seals the secrets of a store, which has to be the same at every server.
public struct StoreKey: Sendable {
  private static let checkpoint = "sealing-key"
  private static let purpose = "the store's key"
  private static let text = "AuthGraph"

  private let store: any AccountStore
  private let secrets: any SecretSealing

  public init(store: any AccountStore, secrets: any SecretSealing) {
    self.store = store
    self.secrets = secrets
  }

  /// Makes sure that the key is the store's; the first server's key becomes it.
  ///
  /// Throws `invalid-argument` with the field `keyFile` where it is another one, and `store-unavailable` where the
  /// store has a key and this server has no file. Where the store has none so far, a key that does not open
  /// what these projects have sealed does not become it.
  public func check(projects: some Sequence<String> & Sendable) async throws {
    let known = try await store.read { try $0.checkpoint(Self.checkpoint, in: .servers) }
    if let known { return try open(known) }
    for project in projects { try await checkSecrets(of: project) }
    let mine = try secrets.seal(Self.text, for: Self.purpose)
    let first = try await store.write { writer in
      if let first = try writer.checkpoint(Self.checkpoint, in: .servers) { return first }
      try writer.saveCheckpoint(Self.checkpoint, mine, in: .servers)
      return mine
    }
    try open(first)
  }

  /// Opens what stores have that are older than this check.
  private func checkSecrets(of project: String) async throws {
    let scope = Scope(project: project)
    if let probe = try await store.settings(of: scope).keyProbe {
      try opening { _ = try secrets.open(probe, for: "probe \(scope)") }
    }
    let tokens = TokenService(style: .signed(.rs256), store: store, secrets: secrets)
    do {
      _ = try await tokens.keys.list(project: project)
    } catch let error as AuthError where error.code == .internalError {
      throw Self.refusal(error)
    }
  }

  private func open(_ sealed: String) throws {
    try opening { _ = try secrets.open(sealed, for: Self.purpose) }
  }

  private func opening(_ body: () throws -> Void) throws {
    do {
      try body()
    } catch let error as AuthError where error.code == .internalError {
      throw Self.refusal(error)
    }
  }

  private static func refusal(_ cause: AuthError) -> AuthError {
    AuthError(
      .invalidArgument, "The key is another one than that of this store's secrets.",
      field: "keyFile",
      remedy: "Give every server of the store a copy of the key file that its first server has.",
      cause: cause)
  }
}
