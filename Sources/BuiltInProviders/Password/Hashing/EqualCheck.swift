/// Checks a password so that every failed check takes the same work, whatever is stored.
///
/// The work is one hash of AuthGraph's own kind and, for each kind that was imported into the scope, the most
/// expensive hash imported with it. Without it, the response time would reveal which addresses have an account. A
/// successful check computes its own hash alone, because its answer reveals as much.
struct EqualCheck: Sendable {
  /// The stored hash that a password is compared with.
  enum Stored: Sendable {
    case own(OwnPasswordHash)
    case imported(LegacyHash)
    /// No hash is stored, or the stored one cannot be read for this reason.
    case nothing(PasswordHasherError?)
  }

  private let cost: PasswordHasher.Cost
  /// The most expensive hash of each kind of work.
  private let kinds: [LegacyHash]
  private let observe: (@Sendable (HashWork) -> Void)?

  init(
    _ cost: PasswordHasher.Cost, _ imported: [PasswordHashParameters],
    _ observe: (@Sendable (HashWork) -> Void)?
  ) {
    self.cost = cost
    self.observe = observe
    var seen: Set<HashWork> = []
    kinds = imported.map(LegacyHash.init(dearestWith:)).filter { seen.insert($0.work).inserted }
  }

  /// Compares a password with a stored hash; blocks until the computation ends.
  func verify(
    _ password: [UInt8], against stored: Stored
  ) throws(PasswordHasherError) -> PasswordHasher.Verification {
    switch stored {
    case .own(let own):
      if try matches(own, password) { return .match(rehashNeeded: own.isOutdated(for: cost)) }
      if let rest = cost.remainder(after: own.cost) { try spend(rest, password) }
      for kind in kinds { _ = try matches(kind, password) }
    case .imported(let hash):
      if try matches(hash, password) { return .match(rehashNeeded: true) }
      try spend(cost, password)
      let mine = LegacyHash(dearestWith: hash.parameters).work
      for kind in kinds {
        for rest in kind.work == mine ? hash.remainder(to: kind) : [kind] {
          _ = try matches(rest, password)
        }
      }
    case .nothing(let reason):
      try spend(cost, password)
      for kind in kinds { _ = try matches(kind, password) }
      if let reason { throw reason }
    }
    return .mismatch
  }

  private func matches(
    _ hash: LegacyHash, _ password: [UInt8]
  ) throws(PasswordHasherError) -> Bool {
    observe?(hash.work)
    return try hash.matches(password)
  }

  private func matches(
    _ hash: OwnPasswordHash, _ password: [UInt8]
  ) throws(PasswordHasherError) -> Bool {
    observe?(hash.cost.work)
    return try hash.matches(password)
  }

  /// Computes an own hash that is compared with nothing.
  private func spend(
    _ cost: PasswordHasher.Cost, _ password: [UInt8]
  ) throws(PasswordHasherError) {
    observe?(cost.work)
    let salt = [UInt8](repeating: 0, count: OwnPasswordHash.saltLength)
    _ = try OwnPasswordHash(password, salt: salt, cost: cost)
  }
}

extension PasswordHasher.Cost {
  /// The work of one hash: memory in KiB times iterations.
  var work: HashWork { HashWork(kind: "own", amount: memoryKiB * iterations) }

  /// The work missing from a cheaper hash to reach this one's; nil if none is missing.
  fileprivate func remainder(after cheaper: PasswordHasher.Cost) -> PasswordHasher.Cost? {
    let rest = work.amount - cheaper.work.amount
    guard rest >= 8 else { return nil }
    let passes = (rest - 1) / (1 << 20) + 1
    guard PasswordHasher.Cost.isValid(memoryKiB: rest / passes, iterations: passes, parallelism: 1)
    else { return self }
    return PasswordHasher.Cost(memoryKiB: rest / passes, iterations: passes, parallelism: 1)
  }
}
