/// Answers a conflict: a plan for merging the two accounts, or a refusal.
///
/// Pure: two account snapshots, the conflict and the proof in, an answer out. The answer is validated by the
/// core, never trusted.
public protocol MergePolicy: Sendable {
  var name: String { get }
  /// The conflicts it answers.
  var triggers: Set<AuthError.Code> { get }

  /// Answers one conflict; throws `invalid-policy` where it fails.
  func decide(_ conflict: MergeConflict) throws -> MergeAnswer

  /// Answers one conflict while nobody else can write: gives what ``decide(_:)`` gives, or nil where that might take longer
  /// than a millisecond.
  ///
  /// A policy without an answer of this kind is asked by ``decide(_:)``, beside other writers.
  func decideAtOnce(_ conflict: MergeConflict) throws -> MergeAnswer?
}

extension MergePolicy {
  public func decideAtOnce(_ conflict: MergeConflict) throws -> MergeAnswer? { nil }
}

/// Turns a stored policy into one that decides; may keep what it compiled.
public protocol MergePolicyCompiler: Sendable {
  /// Compiles a policy; throws `invalid-policy` with the line at fault.
  func policy(_ source: PolicySource) throws(AuthError) -> any MergePolicy

  /// A policy that was compiled before; nil where it is not kept.
  func known(_ source: PolicySource) -> (any MergePolicy)?
}

extension MergePolicyCompiler {
  public func known(_ source: PolicySource) -> (any MergePolicy)? { nil }

  /// A policy for a moment; throws where it would have to be compiled while others wait.
  func policy(_ source: PolicySource, at moment: Moment) throws -> any MergePolicy {
    guard moment.holdsStore else { return try policy(source) }
    guard let known = known(source) else { throw ScriptWanted() }
    return known
  }
}

/// Two accounts in each other's way.
public struct MergeConflict: Sendable, Hashable {
  /// `credential-already-in-use` or `email-already-in-use`.
  public let code: AuthError.Code
  /// The account that wanted to link.
  public let current: Account
  /// The account that was in the way.
  public let existing: Account
  /// The provider of the identity that was to be linked.
  public let provider: ProviderID
  public let proof: MergeProof

  public init(
    code: AuthError.Code, current: Account, existing: Account, provider: ProviderID,
    proof: MergeProof
  ) {
    self.code = code
    self.current = current
    self.existing = existing
    self.provider = provider
    self.proof = proof
  }
}

/// Which of the two accounts the asking person has shown to be theirs.
public struct MergeProof: Sendable, Hashable {
  public let current: Bool
  public let existing: Bool

  public init(current: Bool, existing: Bool) {
    self.current = current
    self.existing = existing
  }

  public var both: Bool { current && existing }
}

/// What a policy says.
public enum MergeAnswer: Sendable, Hashable {
  case merge(into: AccountID, from: AccountID, MergeRules)
  case refuse(String)
}

extension MergeConflict {
  /// Asks a policy and turns its answer into a validated plan.
  ///
  /// Throws `merge-refused` with the policy's reason, what makes its answer unacceptable, or `ScriptWanted` where the
  /// policy may not take its time now.
  func plan(
    by policy: any MergePolicy, snapshot: Snapshot, _ ways: WaysIn, at moment: Moment,
    trace: inout Trace
  ) throws -> MergePlan {
    guard
      let answer = moment.holdsStore ? try policy.decideAtOnce(self) : try policy.decide(self)
    else { throw ScriptWanted() }
    let pair = [current.id, existing.id]
    switch answer {
    case .refuse(let reason):
      trace.note("merge policy", ["policy": policy.name], "refused: \(reason)")
      throw AuthError.mergeRefused(
        "The merge policy \(policy.name) refused: \(reason)", "Ask an admin to merge the accounts.")
    case .merge(let into, let from, let rules):
      trace.note("merge policy", ["policy": policy.name], "merge \(from) into \(into)")
      guard pair.contains(into), pair.contains(from), into != from else {
        throw AuthError(
          .invalidPolicy,
          "The merge policy \(policy.name) named an account that is not part of it.",
          remedy: "Merge conflict.current and conflict.existing.", step: .policy)
      }
      let plan = try MergePlan.make(
        keep: into == current.id ? current : existing,
        absorb: from == current.id ? current : existing, rules: rules,
        decidedBy: "policy \(policy.name)", now: moment.now)
      try plan.validate(result: plan.result, in: snapshot, ways, &trace)
      return plan
    }
  }
}
