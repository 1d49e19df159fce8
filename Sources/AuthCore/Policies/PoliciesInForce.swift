/// The policies that answer the conflicts of a scope: the one in use, and one on trial beside it.
public struct PoliciesInForce: Sendable {
  private let inUse: PolicySeat?
  private let trial: PolicySeat?
  /// The pairs that the policy on trial decides; nil if it decides none.
  private let pairs: PairShare?

  /// Reads the policies of a scope's settings; nil if there are none.
  init?(_ settings: ProjectSettings, of compiler: any MergePolicyCompiler) {
    guard settings.hasMergePolicy else { return nil }
    let role: PolicyJudgement.Role = settings.policyLevel == .advise ? .advises : .decides
    inUse = settings.mergePolicy.map {
      PolicySeat($0, settings.policyVersions?.inUse, as: role, of: compiler)
    }
    pairs = settings.policyTrial?.pairs
    trial = settings.policyTrial.map {
      PolicySeat($0.source, $0.version, as: $0.pairs == nil ? .shadow : .canary, of: compiler)
    }
  }

  /// Makes a policy that decides over every pair, such as that of a file.
  public init(_ policy: any MergePolicy, version: PolicyVersionID? = nil) {
    inUse = PolicySeat(policy, version)
    trial = nil
    pairs = nil
  }

  /// Returns the policy whose answer to a conflict of two accounts is carried out; nil if there is none.
  func decider(over a: AccountID, _ b: AccountID) -> PolicySeat? {
    pairs?.contains(a, b) == true ? trial : inUse
  }

  /// The policy whose answers are recorded alone.
  var shadow: PolicySeat? { pairs == nil ? trial : nil }
}

extension ProjectSettings {
  /// True if a policy is in use or on trial.
  var hasMergePolicy: Bool { mergePolicy != nil || policyTrial != nil }
}

extension AccountGraph {
  /// Returns the policies of a scope's settings; nil if there are none.
  func policiesInForce(_ settings: ProjectSettings) -> PoliciesInForce? {
    PoliciesInForce(settings, of: policies)
  }

  /// Returns the policies that answer the conflicts of a scope; nil if there are none.
  public func policiesInForce(in scope: Scope) async throws -> PoliciesInForce? {
    policiesInForce(try await settings(of: scope))
  }

  /// Returns the policy of a file as one that decides over every pair of a scope, or throws `invalid-policy`.
  ///
  /// It has the number of the version in use or on trial if it has the same text.
  public func policiesInForce(
    of source: PolicySource, in scope: Scope
  ) async throws -> PoliciesInForce {
    let settings = try await settings(of: scope)
    let digest = policies.digest(of: source)
    let known = [settings.policyVersions?.inUse, settings.policyTrial?.version]
      .compactMap(\.self).first { $0.digest == digest }
    return PoliciesInForce(
      try policies.policy(source), version: known ?? PolicyVersionID(number: nil, digest: digest))
  }
}
