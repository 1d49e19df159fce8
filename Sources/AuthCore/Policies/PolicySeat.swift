/// The place of a policy in a scope: the one in use, or the one on trial.
struct PolicySeat: Sendable {
  /// The name of the file, for messages before it is compiled.
  let name: String
  /// The version; nil if it is unknown.
  let version: PolicyVersionID?
  /// The effect of the answers.
  let role: PolicyJudgement.Role
  /// Returns the compiled policy; nil if it would have to be compiled while other writers wait.
  let policy: @Sendable (ScriptBudget) throws(AuthError) -> (any MergePolicy)?

  init(
    _ source: PolicySource, _ version: PolicyVersionID?, as role: PolicyJudgement.Role,
    of compiler: any MergePolicyCompiler
  ) {
    name = source.name
    self.role = role
    self.version =
      version ?? PolicyVersionID(number: nil, digest: compiler.digest(of: source))
    policy = { budget throws(AuthError) in try compiler.policy(source, within: budget) }
  }

  init(_ policy: any MergePolicy, _ version: PolicyVersionID?) {
    name = policy.name
    self.version = version
    role = .decides
    self.policy = { _ in policy }
  }

  /// The judgement of a policy that could not be asked.
  func judgement(failing message: String) -> PolicyJudgement {
    PolicyJudgement(policy: name, version: version, role: role, ruling: .failure(message))
  }
}

/// A compiled policy with its place in the scope.
struct AskedPolicy: Sendable {
  let policy: any MergePolicy
  let seat: PolicySeat

  var role: PolicyJudgement.Role { seat.role }

  /// Makes the judgement with the version and the role of the policy.
  func judgement(_ ruling: PolicyJudgement.Ruling) -> PolicyJudgement {
    PolicyJudgement(policy: policy.name, version: seat.version, role: seat.role, ruling: ruling)
  }

  /// Makes the judgement of a policy that failed.
  func judgement(_ failure: AuthError) -> PolicyJudgement {
    judgement(.failure(failure.scriptFailure?.message ?? failure.message))
  }
}
