import AuthCore

extension AuditEvent {
  /// Makes an event about a project rather than an account.
  static func about(
    _ action: Action, in scope: Scope, by caller: Caller, at now: Timestamp,
    _ details: [String: JSONValue]
  ) throws(AuthError) -> AuditEvent {
    try caller.checkReason()
    return AuditEvent(
      id: RandomBytes.name(8), in: scope, by: caller, at: now, action: action, accountID: nil,
      details: .object(details))
  }
}

extension Caller {
  func mustBeAdmin() throws(AuthError) {
    guard !isAdmin else { return }
    throw AuthError(
      .operationNotAllowed, "Only an admin may do this.", remedy: "Ask an admin.",
      step: .decision)
  }
}
