/// Answers a conflict: a plan for merging the two accounts, or a refusal.
///
/// Pure: two account snapshots, the conflict and the proof in, an answer out. The answer is validated by the
/// core, never trusted.
public protocol MergePolicy: Sendable {
  var name: String { get }
  /// The conflicts it answers.
  var triggers: Set<AuthError.Code> { get }
  /// Whether it is asked, too, about accounts of which one was not shown; what it merges is then an offer to an admin.
  var answersUnproven: Bool { get }

  /// Answers one conflict; throws `invalid-policy` where it fails.
  func decide(_ conflict: MergeConflict) throws -> MergeAnswer

  /// Answers one conflict while nobody else can write: gives what ``decide(_:)`` gives, or nil where that might take longer
  /// than a millisecond.
  ///
  /// A policy without an answer of this kind is asked by ``decide(_:)``, beside other writers.
  func decideAtOnce(_ conflict: MergeConflict) throws -> MergeAnswer?
}

extension MergePolicy {
  public var answersUnproven: Bool { false }

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

  /// A policy within a budget; nil if it would have to be compiled while others wait.
  func policy(
    _ source: PolicySource, within budget: ScriptBudget
  ) throws(AuthError) -> (any MergePolicy)? {
    budget == .instant ? known(source) : try policy(source)
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
  /// The moment of the decision, by the graph's clock; the only time that a policy knows.
  public let decidedAt: Timestamp

  public init(
    code: AuthError.Code, current: Account, existing: Account, provider: ProviderID,
    proof: MergeProof, decidedAt: Timestamp = .now()
  ) {
    self.code = code
    self.current = current
    self.existing = existing
    self.provider = provider
    self.proof = proof
    self.decidedAt = decidedAt
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
  case refuse(MergeRefusal)
}

/// Why a policy leaves both accounts alone.
///
/// Refusals are equal if they say the same; where a script said it is not compared.
public struct MergeRefusal: Sendable, Hashable, ExpressibleByStringInterpolation {
  public let reason: String
  /// The file and line that refused, if known.
  public let place: String?

  public init(_ reason: String, place: String? = nil) {
    self.reason = reason
    self.place = place
  }

  public init(stringLiteral reason: String) { self.init(reason) }

  public static func == (a: MergeRefusal, b: MergeRefusal) -> Bool { a.reason == b.reason }

  public func hash(into hasher: inout Hasher) { hasher.combine(reason) }
}

/// What comes of asking a policy.
enum MergeOutcome {
  /// Both accounts were shown: the merge may be committed.
  case merge(MergePlan)
  /// One of them was not: an admin may make the merge.
  case offer(MergePlan)
}

extension MergeConflict {
  /// Asks a policy and turns its answer into a validated plan, which is for an admin unless both accounts were shown.
  ///
  /// Throws `merge-refused` with the policy's reason, an error whose cause is a ``AppScriptFailure`` if the policy failed
  /// or its answer is unacceptable. Gives nil if the policy may not take its time now.
  func outcome(
    by policy: any MergePolicy, on context: OperationContext, _ ways: WaysIn, trace: inout Trace
  ) throws -> MergeOutcome? {
    let answer: MergeAnswer
    do {
      let given =
        context.moment.budget == .instant
        ? try policy.decideAtOnce(self) : try policy.decide(self)
      guard let given else { return nil }
      answer = given
    } catch {
      throw AppScriptFailure.error(ofPolicy: policy.name, error, noting: &trace)
    }
    switch answer {
    case .refuse(let refusal):
      trace.note(
        "merge policy", ["policy": policy.name, "at": refusal.place], "refused: \(refusal.reason)")
      throw AuthError.mergeRefused(
        "The merge policy \(policy.name) refused: \(refusal.reason)",
        "Ask an admin to merge the accounts.")
    case .merge(let into, let from, let rules):
      let plan: MergePlan
      do {
        plan = try self.plan(from, into: into, by: rules, of: policy, at: context.now)
        try plan.validate(result: plan.result, in: context.snapshot, ways, &trace)
      } catch {
        throw AppScriptFailure.error(ofPolicy: policy.name, error, noting: &trace)
      }
      guard proof.both else {
        trace.note(
          "merge policy",
          ["policy": policy.name, "not shown": proof.missing.joined(separator: ", ")],
          "offers an admin to merge \(from) into \(into)")
        return .offer(plan)
      }
      trace.note("merge policy", ["policy": policy.name], "merge \(from) into \(into)")
      return .merge(plan)
    }
  }

  private func plan(
    _ from: AccountID, into: AccountID, by rules: MergeRules, of policy: any MergePolicy,
    at now: Timestamp
  ) throws(AuthError) -> MergePlan {
    let pair = [current.id, existing.id]
    guard pair.contains(into), pair.contains(from), into != from else {
      throw AuthError(
        .invalidPolicy,
        "The merge policy \(policy.name) named an account that is not part of it.",
        remedy: "Merge conflict.current and conflict.existing.", step: .policy)
    }
    return try MergePlan.make(
      keep: into == current.id ? current : existing,
      absorb: from == current.id ? current : existing, rules: rules,
      decidedBy: "policy \(policy.name)", now: now)
  }
}
