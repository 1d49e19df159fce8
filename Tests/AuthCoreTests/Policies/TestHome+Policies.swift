import AuthCore
import AuthTesting
import TestSupport

/// A policy in Swift that answers every conflict in the same way, and can be slow or fail.
struct NamedPolicy: MergePolicy {
  enum Answer: Sendable {
    case refuses, mergesIntoCurrent, mergesIntoExisting, fails
  }

  let name: String
  let answer: Answer
  var isSlow = false
  let triggers: Set<AuthError.Code> = [.credentialAlreadyInUse]

  init(_ name: String, _ answer: Answer, isSlow: Bool = false) {
    (self.name, self.answer, self.isSlow) = (name, answer, isSlow)
  }

  var source: PolicySource { PolicySource(name: name, text: "text of \(name)") }

  func decide(_ conflict: MergeConflict) throws -> MergeAnswer {
    switch answer {
    case .refuses: return .refuse("\(name) says no")
    case .mergesIntoCurrent:
      return .merge(into: conflict.current.id, from: conflict.existing.id, MergeRules())
    case .mergesIntoExisting:
      return .merge(into: conflict.existing.id, from: conflict.current.id, MergeRules())
    case .fails: throw AuthError(.invalidPolicy, "\(name) is broken.")
    }
  }

  func decideAtOnce(_ conflict: MergeConflict) throws -> MergeAnswer? {
    isSlow ? nil : try decide(conflict)
  }
}

extension TestHome {
  func putToUse(_ policy: NamedPolicy, as use: PolicyUse = PolicyUse()) async throws {
    _ = try await graph.usePolicy(policy.source, as: use, by: admin)
  }

  /// Signs two people in, by one provider each.
  func pair(_ number: Int) async throws -> (current: Account, existing: Account) {
    (
      try await signIn(credential("a\(number)")).account,
      try await signIn(credential("b\(number)", provider: TestHome.other)).account
    )
  }

  /// Links the second account's identity to the first one, and returns the event, whatever it records.
  func linked(_ number: Int, to current: AccountID) async throws -> AuditEvent {
    do {
      let receipt = try await graph.link(
        credential("b\(number)", provider: TestHome.other), to: current, by: session(current))
      return try await graph.event(receipt.id, in: scope)
    } catch let error as AuthError {
      return try await graph.event(error.eventID.unwrapped("event of \(error)"), in: scope)
    }
  }

  /// Returns a session that proves an account of ``pair(_:)``.
  func pairProof(_ account: Account) throws -> ProvenSession {
    let identity = try account.identities.first.unwrapped("identity")
    return ProvenSession(
      scope: scope, account: account.id, signedInAt: clock.now, provider: identity.key.provider,
      identity: identity.key, secondFactor: nil)
  }
}

extension AuditEvent {
  /// The number of the version that decided.
  var policyVersion: Int? {
    guard case .integer(let number)? = details["policyVersion"]?["number"] else { return nil }
    return Int(number)
  }

  /// The step of a rule with the version that it names.
  func policyStep(_ rule: String) -> (version: String?, result: String)? {
    trace.steps.first { $0.rule == rule }.map { step in
      (step.inputs.first { $0.name == "version" }?.value, step.result)
    }
  }
}
