extension AccountGraph {
  /// Puts a policy to use in the caller's scope, as a version of its history.
  ///
  /// It is in force in the next transaction of every process. A policy in use ends a trial. A text that is in use or on
  /// trial keeps its version.
  ///
  /// - Parameters:
  ///   - source: the name and the text of the file; it is not compiled.
  ///   - use: in place of the one in use, or on trial beside it.
  ///   - evidence: the results of the checks, for the history.
  ///   - caller: an admin.
  /// - Returns: the receipt, and the version.
  /// - Throws: `operation-not-allowed` unless the caller is an admin, or `invalid-argument` for a text that is too long.
  public func usePolicy(
    _ source: PolicySource, as use: PolicyUse = PolicyUse(), evidence: PolicyEvidence? = nil,
    by caller: Caller
  ) async throws -> (receipt: Receipt, version: PolicyVersionID?) {
    let entry = PolicyRegister.Entry(source: source, use: use, evidence: evidence)
    return try await changePolicies(by: caller) { $0.use(entry) }
  }

  /// Puts the text of an earlier version to use again, as a new version that names it.
  ///
  /// - Parameters:
  ///   - number: the number in the history.
  ///   - caller: an admin.
  /// - Returns: the receipt, and the new version.
  /// - Throws: `operation-not-allowed` unless the caller is an admin, `invalid-argument` for a number that the history
  ///   does not have or that is in use, or `invalid-policy` if the text does not compile any more.
  public func rollBackPolicy(
    to number: Int, by caller: Caller
  ) async throws -> (receipt: Receipt, version: PolicyVersionID?) {
    try requireAdmin(caller)
    let old = try await policyVersion(number, in: caller.scope)
    _ = try compile(old.source)
    let entry = PolicyRegister.Entry(
      source: old.source, evidence: old.evidence, goesBackTo: number)
    return try await changePolicies(by: caller) { register throws(AuthError) in
      guard register.settings.policyVersions?.inUse?.number != number else {
        throw AuthError(
          .invalidArgument, "Version \(number) is in use.", field: "version",
          remedy: "Choose another version of policy.history().", step: .decision)
      }
      register.use(entry)
    }
  }

  /// Puts the policy on trial to use, or lets the policy that advises decide.
  ///
  /// Throws `operation-not-allowed` unless the caller is an admin, or if there is neither.
  public func promotePolicy(
    by caller: Caller
  ) async throws -> (receipt: Receipt, version: PolicyVersionID?) {
    try await changePolicies(by: caller) { register throws(AuthError) in
      guard register.promote() else {
        throw AuthError.notAllowed(
          "No policy is on trial, and none advises.",
          remedy: "Begin a trial: policy.use(\"FILE\", { level = \"shadow\" }).")
      }
    }
  }

  /// Removes the policies of the caller's scope, or only the one on trial; the history stays.
  ///
  /// Throws `operation-not-allowed` unless the caller is an admin.
  public func removePolicy(onlyTrial: Bool = false, by caller: Caller) async throws -> Receipt {
    try await changePolicies(by: caller) { $0.remove(onlyTrial: onlyTrial) }.receipt
  }

  private func changePolicies(
    by caller: Caller,
    _ change: @escaping @Sendable (inout PolicyRegister) throws(AuthError) -> Void
  ) async throws -> (receipt: Receipt, version: PolicyVersionID?) {
    try requireAdmin(caller)
    let (receipt, verdict) = try await perform(
      caller, load: SnapshotQuery(in: caller.scope),
      decide: { snapshot, moment in
        var register = PolicyRegister(snapshot.settings, of: policies, at: moment, by: caller)
        do throws(AuthError) {
          try change(&register)
        } catch {
          var refused = Verdict(action: .changeSettings)
          refused.error = error
          return refused
        }
        var verdict = Verdict(.changeSettings, register, from: snapshot)
        verdict.policyVersion = register.subject
        return verdict
      })
    return (receipt, verdict.policyVersion)
  }

  // MARK: The history

  /// Returns the versions of a scope's policies, newest first, from before the number `before`.
  public func policyHistory(
    before: Int? = nil, limit: Int, in scope: Scope
  ) async throws -> [PolicyVersion] {
    try await store.read { reader in
      let last = try reader.settings(of: scope).policyVersions?.last ?? 0
      let first = min(last, (before ?? .max) - 1)
      let numbers = stride(from: first, to: max(0, first - max(0, limit)), by: -1)
      return try numbers.compactMap { try reader.policyVersion($0, in: scope) }
    }
  }

  /// Returns a version of a scope's policies; throws `invalid-argument` for a number that the history does not have.
  public func policyVersion(_ number: Int, in scope: Scope) async throws -> PolicyVersion {
    guard let version = try await store.read({ try $0.policyVersion(number, in: scope) }) else {
      throw AuthError(
        .invalidArgument, "The history has no version \(number) of a policy.", field: "version",
        remedy: "Choose one of policy.history().")
    }
    return version
  }
}
