public import AuthCore
import BuiltInProviders
import SessionTokens

/// The key that seals the secrets of a store, the same for every server and command.
///
/// A store gets its key when the first secret is sealed, or from its first server. From then on it refuses every other
/// key, and no key file is made beside it.
public struct StoreKey: Sendable {
  private static let checkpoint = "sealing-key"
  private static let purpose = "the store's key"
  private static let text = "AuthGraph"

  private let store: any AccountStore
  private let secrets: any SecretSealing

  /// Takes a store and the key to check it with.
  public init(store: any AccountStore, secrets: any SecretSealing) {
    self.store = store
    self.secrets = secrets
  }

  /// Checks that the key is the store's.
  ///
  /// The first server's key becomes the store's.
  ///
  /// Throws `invalid-argument` with the field `keyFile` if the store has another key. Throws `store-unavailable` if the
  /// store has a key and the key file is missing or unusable. A store without a mark accepts only a key that opens all
  /// earlier secrets. `projects` are searched for secrets if the store cannot list its own.
  public func check(projects: some Sequence<String> & Sendable) async throws {
    let witnesses = try await witnesses(projects: projects)
    try verify(witnesses)
    guard !witnesses.haveKey else { return }
    let mine = try sealed()
    let first = try await store.write { try Self.claim(mine, $0) }
    try open(first)
  }

  /// The evidence of a store's key: its mark, or else the secrets that were sealed before there were marks.
  package struct Witnesses: Sendable {
    /// True if the store has its mark.
    package fileprivate(set) var haveKey = false
    fileprivate var texts: [SealedText] = []

    /// True if nothing was ever sealed.
    package var isEmpty: Bool { texts.isEmpty }
  }

  /// Reads the store's evidence of its key.
  package func witnesses(
    projects: some Sequence<String> & Sendable = []
  ) async throws -> Witnesses {
    let named = projects.map { Scope(project: $0) }
    return try await store.read { reader in
      if let mark = try reader.checkpoint(Self.checkpoint, in: .servers) {
        return Witnesses(haveKey: true, texts: [SealedText(mark, for: Self.purpose)])
      }
      var witnesses = Witnesses()
      for scope in Set(try reader.scopes(having: .secrets) + named) {
        witnesses.texts += try Self.texts(of: scope, reader)
      }
      return witnesses
    }
  }

  private static func texts(
    of scope: Scope, _ reader: any AccountReader
  ) throws -> [SealedText] {
    let settings = try reader.settings(of: scope)
    var texts = [settings.keyProbe.map { SealedText($0, for: "probe \(scope)") }].compactMap(\.self)
    for (provider, configuration) in settings.providers {
      for (name, text) in configuration.sealedSecrets {
        let purpose = ProviderConfiguration.purpose(name, of: ProviderID(provider), in: scope)
        texts.append(SealedText(text, for: purpose))
      }
    }
    guard scope.tenant == nil else { return texts }
    for use in KeyUse.allCases {
      guard let text = try reader.checkpoint(use.checkpoint, in: scope) else { continue }
      texts.append(SealedText(text, for: use.sealingPurpose(scope.project)))
    }
    return texts
  }

  /// Throws unless the key opens all of the evidence.
  ///
  /// It makes no key file.
  package func verify(_ witnesses: Witnesses) throws {
    for text in witnesses.texts { try open(text.text, for: text.purpose) }
  }

  /// Returns a new mark for a store.
  ///
  /// If there is no key file, it is made.
  package func sealed() throws -> String { try secrets.seal(Self.text, for: Self.purpose) }

  /// Writes a mark unless the store has one, and returns the store's mark.
  package static func claim(_ mine: String, _ writer: any AccountWriter) throws -> String {
    if let first = try writer.checkpoint(checkpoint, in: .servers) { return first }
    try writer.saveCheckpoint(checkpoint, mine, in: .servers)
    return mine
  }

  /// Throws unless the key opens a mark.
  package func open(_ mark: String) throws { try open(mark, for: Self.purpose) }

  private func open(_ sealed: String, for purpose: String) throws {
    do {
      _ = try secrets.open(sealed, for: purpose)
    } catch let error as AuthError where error.code == .internalError {
      throw refusal(error)
    }
  }

  private func refusal(_ cause: AuthError) -> AuthError {
    let place = (secrets as? KeyFileSealing).map { " in \($0.path)" } ?? ""
    return AuthError(
      .invalidArgument, "The key\(place) is another one than that of this store's secrets.",
      field: "keyFile",
      remedy: """
        Name a copy of the key file that the store's first server or command had, by --key-file, AUTHGRAPH_KEY_FILE or \
        the setting keyFile. If secrets were sealed with both, authgraph store mend-key seals them with one.
        """, cause: cause)
  }
}

extension StoreKey {
  /// The names of sealed checkpoints in a store, besides settings and records.
  private static let named: [Resealing.Checkpoint] =
    KeyUse.allCases.map { use in
      Resealing.Checkpoint(
        use.checkpoint, "the keys that sign \(use.rawValue)s", purpose: use.sealingPurpose)
    }

  /// Reseals every secret in the store with this key.
  ///
  /// A secret that this key does not open, and one of the others does, is sealed again. A secret that no key opens is
  /// listed, and removed if `drops` is set.
  ///
  /// Nothing is written unless `commits` is set. The store's mark is written last, so that the key is refused after an
  /// interrupted run, until it can open everything.
  package func reseal(
    with others: [any SecretSealing], commits: Bool, drops: Bool
  ) async throws -> [ResealingFinding: Int] {
    let resealing = Resealing(
      store: store, key: secrets, others: others, checkpoints: Self.named, commits: commits,
      drops: drops)
    var findings = try await resealing.run()
    let what = "the mark of the store's key"
    let mark = try await store.read { try $0.checkpoint(Self.checkpoint, in: .servers) }
    let keyID = mark.flatMap { SealedText($0, for: Self.purpose).keyID }
    let isMine = mark.map { (try? secrets.open($0, for: Self.purpose)) != nil } ?? false
    findings[
      ResealingFinding(
        scope: .servers, what: what, keyID: keyID, outcome: isMine ? .kept : .resealed)] = 1
    if commits, !isMine {
      let mine = try sealed()
      try await store.write { try $0.saveCheckpoint(Self.checkpoint, mine, in: .servers) }
    }
    return findings
  }
}
