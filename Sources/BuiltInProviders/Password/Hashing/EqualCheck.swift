/// Checks a password so that every check that fails takes the same work, whatever is stored.
///
/// That is one hash of our own kind and, for each kind that was imported into the scope, one of the dearest that came
/// with it. Without that an address that answers sooner or later than an unknown one would be somebody's. A check that
/// succeeds takes its own hash alone, for its answer tells as much.
struct EqualCheck: Sendable {
  /// What a password is compared with.
  enum Stored: Sendable {
    case own(OwnPasswordHash)
    case imported(LegacyHash)
    /// Nothing is stored, or nothing that can be read for this reason.
    case nothing(PasswordHasherError?)
  }

  private let cost: PasswordHasher.Cost
  /// The dearest hash of each kind of work.
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

  /// Compares; blocks for as long as that takes.
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

  /// Computes a hash of our own kind that is compared with nothing.
  private func spend(
    _ cost: PasswordHasher.Cost, _ password: [UInt8]
  ) throws(PasswordHasherError) {
    observe?(cost.work)
    let salt = [UInt8](repeating: 0, count: OwnPasswordHash.saltLength)
    _ = try OwnPasswordHash(password, salt: salt, cost: cost)
  }
}

extension PasswordHasher.Cost {
  /// The memory that is filled, pass by pass; it says how long a hash takes.
  var work: HashWork { HashWork(kind: "own", amount: memoryKiB * iterations) }

  /// What is left to compute beside a cheaper hash until both together take this one's work; nil for nothing.
  fileprivate func remainder(after cheaper: PasswordHasher.Cost) -> PasswordHasher.Cost? {
    let rest = work.amount - cheaper.work.amount
    guard rest >= 8 else { return nil }
    let passes = (rest - 1) / (1 << 20) + 1
    guard PasswordHasher.Cost.isValid(memoryKiB: rest / passes, iterations: passes, parallelism: 1)
    else { return self }
    return PasswordHasher.Cost(memoryKiB: rest / passes, iterations: passes, parallelism: 1)
  }
}
