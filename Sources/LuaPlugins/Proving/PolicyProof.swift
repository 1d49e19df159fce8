public import AuthCore

/// The findings of trying a policy on every kind of conflict that it can see.
///
/// The kinds are all combinations of order of creation, order of sign-in, addresses, visitors, claims, proof and code;
/// and further values (providers, numbers, factors, names, photos, and the literals of the file) alone, in pairs and
/// beside every combination.
public struct PolicyProof: Sendable {
  /// The policy's name.
  public let policy: String
  /// The file's name.
  public let file: String
  /// The number of conflicts that the policy was asked about.
  public let cases: Int
  /// The number of conflicts that no server asks it about.
  public let notAsked: Int
  /// True if the search ended early, because a limit stopped the file too often.
  public let isCut: Bool
  /// The time it took, in seconds.
  public let seconds: Double
  /// The findings, faults first.
  public let findings: [PolicyFinding]

  /// The findings that make the policy unsafe.
  public var faults: [PolicyFinding] { findings.filter(\.isFault) }

  /// Tries a policy; throws `invalid-policy` if the file cannot be compiled.
  public init(of source: PolicySource) throws(AuthError) {
    let clock = ContinuousClock()
    let start = clock.now
    var prover = try PolicyProver(source)
    prover.run()
    policy = prover.trial.policy.name
    file = source.name
    (cases, notAsked, isCut) = (prover.cases, prover.notAsked, prover.isCut)
    findings = prover.findings
    let time = (clock.now - start).components
    seconds = Double(time.seconds) + Double(time.attoseconds) / 1e18
  }

  /// The error for using a policy that is unsafe, with its smallest case; nil if no fault was found.
  ///
  /// Throws `invalid-policy` if the file cannot be compiled.
  public static func refusal(of source: PolicySource) throws(AuthError) -> AuthError? {
    let proof = try PolicyProof(of: source)
    guard let first = proof.faults.first else { return nil }
    let more = proof.faults.count > 1 ? " (\(proof.faults.count) faults)" : ""
    return AuthError(
      .invalidPolicy,
      "\(source.name) is unsafe\(more). \(first.property.rawValue): \(first.text) "
        + "The smallest case: \(first.pair).",
      field: "file",
      remedy: "Look at policy.prove \"\(source.name)\", or give { force = true, reason = … }.",
      step: .policy)
  }
}
