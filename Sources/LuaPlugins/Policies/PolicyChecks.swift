public import AuthCore

/// The result of the checks of a policy file before its use.
public struct PolicyFindings: Sendable {
  /// Notices for the admin; the policy can be used.
  public var notices: [String] = []
  /// The reasons not to use the policy, unless it is forced with a reason.
  public var refusals: [AuthError] = []
  /// The results for the history of versions.
  public var evidence = PolicyEvidence()

  /// Returns the refusal of a use that is not forced, or is forced without a reason.
  public func refusal(force: Bool, reason: String?) -> AuthError? {
    guard let first = refusals.first else { return nil }
    guard force else { return first }
    guard reason?.contains(where: { !$0.isWhitespace }) == true else {
      return AuthError(
        .invalidPolicy,
        "A policy that its checks refuse is forced only with a reason: \(first.message)",
        field: "reason", remedy: "Give reason = \"…\", or correct the policy.", step: .policy)
    }
    return nil
  }
}

/// A check of a policy file before its use.
public struct PolicyCheck: Sendable {
  /// The name, for messages.
  public let name: String
  /// Adds what it finds; throws `invalid-policy` if the file itself is at fault.
  public let run: @Sendable (PolicySource, inout PolicyFindings) throws(AuthError) -> Void

  /// Makes a check.
  public init(
    _ name: String,
    _ run: @escaping @Sendable (PolicySource, inout PolicyFindings) throws(AuthError) -> Void
  ) {
    (self.name, self.run) = (name, run)
  }
}

/// The checks that every policy passes before its use, whatever the face.
public enum PolicyChecks {
  /// The checks in order.
  public static let all: [PolicyCheck] = [.examples, .coverage, .proof]

  /// Runs all checks; throws `invalid-policy` if the file itself is at fault.
  public static func findings(in source: PolicySource) throws(AuthError) -> PolicyFindings {
    var findings = PolicyFindings()
    for check in all { try check.run(source, &findings) }
    return findings
  }

  /// The thread of the checks that requests ask for.
  ///
  /// A proof takes seconds without a suspension, which would stop the other requests of a thread of Swift's tasks.
  private static let queue = WorkQueue(maximumConcurrent: 1)

  /// Runs all checks on a thread of their own, one file after the other.
  ///
  /// Throws like ``findings(in:)``, or `CancellationError` if the task was cancelled before the file's turn.
  public static func findingsApart(in source: PolicySource) async throws -> PolicyFindings {
    try await queue.run { try findings(in: source) }
  }

  /// Runs the examples of a file on the same thread.
  ///
  /// Throws like ``LuaMergePolicy/runExamples(of:)``, or `CancellationError`.
  public static func examplesApart(
    of source: PolicySource
  ) async throws -> [PolicyExampleResult] {
    try await queue.run { try LuaMergePolicy.runExamples(of: source) }
  }
}

extension PolicyCheck {
  /// All examples of the file pass.
  static let examples = PolicyCheck("examples") { source, findings throws(AuthError) in
    let results = try LuaMergePolicy.runExamples(of: source)
    let failed = results.filter { !$0.passed }
    findings.evidence.examplesPassed = results.count - failed.count
    findings.evidence.examplesFailed = failed.count
    guard let first = failed.first else { return }
    findings.refusals.append(
      AuthError(
        .invalidPolicy,
        (failed.count == 1
          ? "An example of \(source.name) does not pass, "
          : "\(failed.count) of the examples of \(source.name) do not pass; the first is ")
          + "\"\(first.name)\": \(first.failure ?? "")",
        remedy: "Look at policy.test \"\(source.name)\", and correct the policy or its examples.",
        step: .policy))
  }

  /// The examples reach all of the file.
  static let coverage = PolicyCheck("coverage") { source, findings throws(AuthError) in
    let coverage = try PolicyCoverage.measure(source)
    findings.evidence.coverage = coverage.share
    if let notice = coverage.notice { findings.notices.append(notice) }
  }

  /// No kind of conflict makes the policy unsafe.
  static let proof = PolicyCheck("proof") { source, findings throws(AuthError) in
    if let refusal = try PolicyProof.refusal(of: source) { findings.refusals.append(refusal) }
  }
}
