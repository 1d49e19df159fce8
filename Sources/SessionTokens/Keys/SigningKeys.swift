public import AuthCore

/// The keys with which a project signs its tokens.
///
/// They are made at the first need, kept sealed in the store, and shared by every server of that store.
public struct SigningKeys: Sendable {
  /// The public properties of one key, for an admin.
  public struct Description: Sendable, Hashable {
    /// The phase of a key's life.
    public enum State: String, Sendable, Hashable {
      /// Published; signs from ``Description/activeFrom`` on.
      case next
      /// Signs new tokens.
      case signing
      /// Still published, for tokens that have not expired.
      case retired
    }

    /// The key ID, which tokens name as `kid`.
    public let id: String
    /// The kind of token that the key signs.
    public let use: KeyUse
    /// The signature algorithm.
    public let algorithm: SigningAlgorithm
    /// The phase of the key's life.
    public let state: State
    /// The time of creation.
    public let createdAt: Timestamp
    /// The time from which the key signs.
    public let activeFrom: Timestamp
    /// The time at which the successor begins to sign; nil without a successor.
    public let retiredAt: Timestamp?
    /// The time at which the key is removed; nil without a successor.
    public let publishedUntil: Timestamp?
  }

  /// The seconds by which published answers may be older than the store, because of a server's cache and clock
  /// differences.
  private static let delay: Int64 = 300

  let cache: ProjectKeyCache
  private let storage: SigningKeyStorage
  /// The seconds for which a key is published before it signs.
  private let overlap: Int64
  private let clock: @Sendable () -> Timestamp

  init(
    store: any AccountStore, secrets: any SecretSealing, overlap: Int64,
    clock: @escaping @Sendable () -> Timestamp
  ) {
    storage = SigningKeyStorage(store: store, secrets: secrets)
    cache = ProjectKeyCache(storage: storage, clock: clock)
    self.overlap = max(overlap, 2 * Self.delay)
    self.clock = clock
  }

  /// The seconds for which clients may cache the published keys and still know each key before it signs.
  public var maximumAge: Int64 { overlap - Self.delay }

  /// Returns the keys of a project, for one use or all, in the order in which they sign.
  public func list(_ use: KeyUse? = nil, project: String) async throws -> [Description] {
    var descriptions: [Description] = []
    for use in use.map({ [$0] }) ?? KeyUse.allCases {
      let schedule = try await storage.read(KeySlot(project: project, use: use))
      let now = clock()
      descriptions += schedule.published(use, at: now)
        .sorted { ($0.activeFrom, $0.id) < ($1.activeFrom, $1.id) }
        .map { schedule.description(of: $0, use, at: now) }
    }
    return descriptions
  }

  /// Makes and publishes the next key of a project; it signs once every verifier can know it.
  ///
  /// Until then the old key signs. It stays published until everything that it signed has expired.
  /// Throws `operation-not-allowed` for a caller who is not an admin, and if a next key already waits.
  @discardableResult public func rotate(
    _ use: KeyUse, _ algorithm: SigningAlgorithm, by caller: Caller
  ) async throws -> Description {
    try caller.mustBeAdmin()
    let slot = KeySlot(project: caller.scope.project, use: use)
    let now = clock()
    let overlap = overlap
    let storage = storage
    let later = try StoredKey.make(
      algorithm, for: use, at: now, activeFrom: now.adding(seconds: overlap))
    let description = try await storage.store.write { writer in
      var schedule = try storage.read(slot, in: writer)
      guard schedule.next(algorithm, at: now) == nil else {
        throw AuthError(
          .operationNotAllowed, "The next key for \(algorithm.rawValue) is published already.",
          field: "algorithm", remedy: "Wait until it signs.", step: .token)
      }
      let isFirst = schedule.signing(algorithm, at: now) == nil
      let key = isFirst ? later.active(from: now) : later
      schedule.keys.append(key)
      schedule.keys = schedule.published(use, at: now)
      let description = schedule.description(of: key, use, at: now)
      guard !caller.dryRun else { return description }
      try storage.save(schedule, slot, in: writer)
      try writer.append(
        .about(
          .rotateKeys, in: slot.scope, by: caller, at: now,
          [
            "use": .string(use.rawValue), "algorithm": .string(algorithm.rawValue),
            "key": .string(key.id), "activeFrom": .string(key.activeFrom.text),
          ]))
      return description
    }
    cache.forget(slot)
    return description
  }

  /// Invalidates cached sets that a change of the store made stale.
  package func forget(_ change: StoreChange) {
    switch change {
    case .checkpoint(let name, let scope):
      guard let use = KeyUse.allCases.first(where: { $0.checkpoint == name }) else { return }
      cache.forget(KeySlot(project: scope.project, use: use))
    case .settings(let scope):
      // The keys of a deleted scope are gone.
      guard scope.tenant == nil else { return }
      for use in KeyUse.allCases { cache.forget(KeySlot(project: scope.project, use: use)) }
    case .anything:
      cache.forget()
    }
  }

  /// Returns the key that signs now, and makes one if there is none.
  func signing(
    _ use: KeyUse, _ algorithm: SigningAlgorithm, project: String
  ) async throws -> SigningKey {
    let slot = KeySlot(project: project, use: use)
    let set = try await cache.set(slot, toSignWith: algorithm)
    guard let key = set.signing(algorithm, at: clock()) else {
      throw AuthError(.internalError, "There is no key to sign with.", step: .token)
    }
    return key
  }

  /// Returns the published key with an ID that a token names; nil if there is none.
  func published(_ id: String, _ use: KeyUse, project: String) async throws -> SigningKey? {
    let slot = KeySlot(project: project, use: use)
    if let key = try await cache.set(slot).published(id, use, at: clock()) { return key }
    return try await cache.setAgain(slot)?.published(id, use, at: clock())
  }
}

extension KeySchedule {
  fileprivate func description(
    of key: StoredKey, _ use: KeyUse, at now: Timestamp
  ) -> SigningKeys.Description {
    let retirement = retirement(of: key)
    let isSigning = signing(key.algorithm, at: now) == key
    return SigningKeys.Description(
      id: key.id, use: use, algorithm: key.algorithm,
      state: isSigning ? .signing : key.activeFrom > now ? .next : .retired,
      createdAt: key.createdAt, activeFrom: key.activeFrom, retiredAt: retirement,
      publishedUntil: publicationEnd(of: key, use))
  }
}

extension StoredKey {
  fileprivate func active(from moment: Timestamp) -> StoredKey {
    StoredKey(
      id: id, algorithm: algorithm, privateKey: privateKey, certificate: certificate,
      createdAt: createdAt, activeFrom: moment)
  }
}
