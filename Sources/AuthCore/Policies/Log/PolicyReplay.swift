/// The outcome of deciding recorded conflicts again with another policy.
public struct PolicyReplay: Sendable, Hashable {
  /// The difference between two answers to one conflict.
  public enum Change: String, Sendable, Hashable, CaseIterable {
    /// The conflict is now refused.
    case refused
    /// The accounts are now merged.
    case merged
    /// The other account survives.
    case survivor
    /// The merge has other fields, or drops other identities.
    case fields
    /// The person has to meet another requirement first.
    case required
    /// An admin is now asked.
    case reviewed
    /// The refusal or the review has another reason.
    case reason
    /// The policy is not asked about the conflict any more.
    case unasked
    /// The policy now fails.
    case failed
  }

  /// A conflict that is decided otherwise.
  public struct Difference: Sendable, Hashable {
    /// The recorded decision.
    public let decision: PolicyDecision
    /// The difference.
    public let change: Change
    /// The new answer; nil if the policy is not asked.
    public let now: PolicyJudgement.Ruling?
  }

  /// The number of differences that are kept; further ones are only counted.
  public static let mostDifferences = 1000

  /// The number of conflicts that were decided again.
  public private(set) var count = 0
  /// The number of conflicts by difference.
  public private(set) var changes: [Change: Int] = [:]
  /// The differences, newest first.
  public private(set) var differences: [Difference] = []

  /// The number of conflicts that are decided as before.
  public var same: Int { count - changes.values.reduce(0, +) }

  /// Decides a recorded conflict again.
  mutating func add(_ decision: PolicyDecision, by policy: any MergePolicy) {
    guard let before = decision.ruling else { return }
    count += 1
    let now = policy.ruling(on: decision.conflict)
    guard let change = before.change(to: now) else { return }
    changes[change, default: 0] += 1
    if differences.count < Self.mostDifferences {
      differences.append(Difference(decision: decision, change: change, now: now))
    }
  }
}

extension AccountGraph {
  /// Decides the recorded conflicts since a time again, newest first, with another policy; nothing is written.
  ///
  /// Each is decided with the time of its own decision. Of the store, only a page is in memory.
  public func replay(
    _ policy: any MergePolicy, since: Timestamp? = nil, limit: Int = .max, in scope: Scope
  ) async throws -> PolicyReplay {
    var replay = PolicyReplay()
    try await eachDecision(since: since, limit: limit, in: scope) { page in
      for decision in page { replay.add(decision, by: policy) }
    }
    return replay
  }
}

extension MergePolicy {
  /// Answers a conflict as the graph would ask about it; nil if the policy is not asked.
  func ruling(on conflict: MergeConflict) -> PolicyJudgement.Ruling? {
    guard triggers.contains(conflict.code), conflict.proof.both || answersUnproven else {
      return nil
    }
    do {
      let answer = try decide(conflict)
      guard case .merge(let into, let from, _) = answer else { return .answer(answer) }
      let pair: Set = [conflict.current.id, conflict.existing.id]
      return pair == [into, from]
        ? .answer(answer) : .failure("It named an account that is not part of the conflict.")
    } catch {
      return .failure((error as? AuthError)?.message ?? "\(error)")
    }
  }
}

extension PolicyJudgement.Ruling {
  /// Returns the difference of a new answer from this one; nil if it is the same.
  func change(to now: Self?) -> PolicyReplay.Change? {
    switch (self, now) {
    case (.failure, .failure): nil
    case (_, nil): .unasked
    case (_, .failure): .failed
    case (.answer(.merge(let into, _, let old)), .answer(.merge(let newInto, _, let new))):
      into != newInto ? .survivor : old.isLike(new) ? nil : .fields
    case (_, .answer(.merge)): .merged
    case (.answer(.refuse(let old)), .answer(.refuse(let new))): old == new ? nil : .reason
    case (_, .answer(.refuse)): .refused
    case (.answer(.require(let old)), .answer(.require(let new))): old == new ? nil : .required
    case (_, .answer(.require)): .required
    case (.answer(.review(let old)), .answer(.review(let new))): old == new ? nil : .reason
    case (_, .answer(.review)): .reviewed
    }
  }
}

extension MergeRules {
  /// Tells whether other rules have the same effect; a computed value that was not kept is like every other.
  fileprivate func isLike(_ other: MergeRules) -> Bool {
    guard Set(droppedIdentities) == Set(other.droppedIdentities) else { return false }
    return MergeField.allCases.allSatisfy { field in
      let (mine, theirs) = (self[field], other[field])
      if case (.value(DecisionMask.hidden), .value) = (mine, theirs) { return true }
      return mine == theirs
    }
  }

  private subscript(field: MergeField) -> FieldRule { fields[field] ?? field.defaultRule }
}
