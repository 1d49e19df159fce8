/// A policy that answers a conflict with a plan for merging the two accounts, or with a refusal.
///
/// It is pure: it takes two account snapshots, the conflict and the proof, and returns an answer, which the core
/// validates.
public protocol MergePolicy: Sendable {
  /// The policy's name, for the audit.
  var name: String { get }
  /// The error codes of the conflicts that it answers.
  var triggers: Set<AuthError.Code> { get }
  /// True if it also answers conflicts without full proof; its merge is then an offer to an admin.
  var answersUnproven: Bool { get }

  /// Answers a conflict, or throws `invalid-policy` if it fails.
  func decide(_ conflict: MergeConflict) throws -> MergeAnswer

  /// Answers a conflict like ``decide(_:)`` while other writers wait; nil if that might take more than a millisecond.
  ///
  /// After nil, the graph calls ``decide(_:)`` outside the transaction.
  func decideAtOnce(_ conflict: MergeConflict) throws -> MergeAnswer?
}

extension MergePolicy {
  /// False: only conflicts with full proof are answered.
  public var answersUnproven: Bool { false }

  /// Returns nil, so that every conflict is answered outside the transaction.
  public func decideAtOnce(_ conflict: MergeConflict) throws -> MergeAnswer? { nil }
}

/// Compiles stored policies, and may cache them.
public protocol MergePolicyCompiler: Sendable {
  /// Compiles a policy, or throws `invalid-policy` with the line at fault.
  func policy(_ source: PolicySource) throws(AuthError) -> any MergePolicy

  /// Returns a policy from the cache; nil if it is not there.
  func known(_ source: PolicySource) -> (any MergePolicy)?

  /// Returns the SHA-256 of a source's text, in hexadecimal digits.
  func digest(of source: PolicySource) -> String
}

extension MergePolicyCompiler {
  /// Returns nil: nothing is cached.
  public func known(_ source: PolicySource) -> (any MergePolicy)? { nil }

  /// Returns a policy within a budget; nil if it would have to be compiled while other writers wait.
  func policy(
    _ source: PolicySource, within budget: ScriptBudget
  ) throws(AuthError) -> (any MergePolicy)? {
    budget == .instant ? known(source) : try policy(source)
  }
}

/// A conflict between two accounts.
public struct MergeConflict: Sendable, Hashable {
  /// `credential-already-in-use` or `email-already-in-use`.
  public var code: AuthError.Code
  /// The account that wanted to link.
  public var current: Account
  /// The account that owns the identity or the address.
  public var existing: Account
  /// The provider of the identity that was to be linked.
  public var provider: ProviderID
  /// The sides that the client has proven.
  public var proof: MergeProof
  /// The time of the decision by the graph's clock; the only time that a policy sees.
  public var decidedAt: Timestamp
  /// The operation that found the conflict.
  public var operation = Operation.link
  /// The credential that was to be linked.
  public var credential = ConflictCredential()
  /// The session of the person who caused the conflict.
  public var session = ConflictSession()
  /// The earlier merges of both accounts.
  public var history = ConflictHistory()
  /// True if an admin makes the change or has approved it, so that no requirement is left to meet.
  public var isApproved = false

  /// Makes a conflict.
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

/// The accounts of a conflict that the client has proven to own.
public struct MergeProof: Sendable, Hashable {
  /// True if the account that wanted to link is proven.
  public internal(set) var current: Bool
  /// True if the account in conflict is proven.
  public internal(set) var existing: Bool

  /// Makes a proof.
  public init(current: Bool, existing: Bool) {
    self.current = current
    self.existing = existing
  }

  /// True if both accounts are proven.
  public var both: Bool { current && existing }
}

/// The answer of a policy.
public enum MergeAnswer: Sendable, Hashable {
  /// Merges one account into another by these rules.
  case merge(into: AccountID, from: AccountID, MergeRules)
  /// Leaves both accounts as they are.
  case refuse(MergeRefusal)
  /// Leaves both accounts as they are until the client meets a requirement.
  case require(Requirement)
  /// Leaves both accounts as they are, and asks an admin for this reason.
  case review(String)
}

/// A policy's reason to leave both accounts as they are.
///
/// Refusals are equal if their reasons and codes are; the place in a script is not compared.
public struct MergeRefusal: Error, Sendable, Hashable, ExpressibleByStringInterpolation {
  /// The reason, which the client sees.
  public let reason: String
  /// The code of the app for this reason, which the client gets beside it.
  public let code: String?
  /// The file and line of the refusal, if known.
  public let place: String?

  /// Makes a refusal.
  public init(_ reason: String, code: String? = nil, place: String? = nil) {
    self.reason = reason
    self.code = code
    self.place = place
  }

  /// Makes a refusal without a place.
  public init(stringLiteral reason: String) { self.init(reason) }

  /// Compares the reasons and codes.
  public static func == (a: MergeRefusal, b: MergeRefusal) -> Bool {
    a.reason == b.reason && a.code == b.code
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(reason) }
}

/// The outcome of asking a policy.
enum MergeOutcome {
  /// Both accounts were proven: the merge may be committed.
  case merge(MergePlan)
  /// One of them was not proven: an admin may make the merge.
  case offer(MergePlan)
}

extension MergeConflict {
  /// Asks a policy and turns its answer into a validated plan, which is an offer unless both accounts were proven.
  ///
  /// Throws `merge-refused` with the policy's reason, or an error whose cause is a ``AppScriptFailure`` if the policy
  /// failed or its answer is invalid. Returns nil if the policy has to run outside the transaction.
  ///
  /// `judged` takes the conflict with the policy's answer.
  func outcome(
    by asked: AskedPolicy, on context: OperationContext, _ ways: WaysIn,
    judged: inout JudgedConflict?, trace: inout Trace
  ) throws -> MergeOutcome? {
    let policy = asked.policy
    let answer: MergeAnswer
    do {
      let given =
        context.moment.budget == .instant
        ? try policy.decideAtOnce(self) : try policy.decide(self)
      guard let given else { return nil }
      answer = given
    } catch {
      let failure = AppScriptFailure.error(ofPolicy: policy.name, error, noting: &trace)
      judged = JudgedConflict(self, [asked.judgement(failure)])
      throw failure
    }
    judged = JudgedConflict(self, [asked.judgement(.answer(answer))])
    switch answer {
    case .refuse(let refusal):
      trace.note(
        "merge policy", ["policy": policy.name, "at": refusal.place], "refused: \(refusal.reason)")
      throw AuthError(
        .mergeRefused, "The merge policy \(policy.name) refused: \(refusal.reason)",
        remedy: "Ask an admin to merge the accounts.", step: .policy, cause: refusal)
    case .require(.approval):
      guard let error = review("it requires an approval", by: policy, on: context) else {
        return nil
      }
      trace.note("merge policy", ["policy": policy.name], "requires an admin's approval")
      throw error
    case .require(let requirement):
      trace.note("merge policy", ["policy": policy.name], "requires \(requirement)")
      throw requirement.error(ofPolicy: policy.name)
    case .review(let reason):
      guard let error = review(reason, by: policy, on: context) else { return nil }
      trace.note("merge policy", ["policy": policy.name], "wants a review: \(reason)")
      throw error
    case .merge(let into, let from, let rules):
      let plan: MergePlan
      do {
        plan = try self.plan(from, into: into, by: rules, of: policy, at: context.now)
        try plan.validate(result: plan.result, in: context.snapshot, ways, &trace)
      } catch {
        throw AppScriptFailure.error(ofPolicy: policy.name, error, noting: &trace)
      }
      guard proof.both, asked.role != .advises else {
        let missing = proof.both ? nil : proof.missing.joined(separator: ", ")
        trace.note(
          "merge policy", ["policy": policy.name, "not shown": missing],
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
        "The merge policy \(policy.name) named an account that is not part of the conflict.",
        remedy: "Merge conflict.current and conflict.existing.", step: .policy)
    }
    return try MergePlan.make(
      keep: into == current.id ? current : existing,
      absorb: from == current.id ? current : existing, rules: rules,
      decidedBy: "policy \(policy.name)", now: now)
  }
}
