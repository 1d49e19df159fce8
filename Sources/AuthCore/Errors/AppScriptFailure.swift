/// Why a script or a function of the app gave no answer that counts: it failed, took too long, or said what cannot be.
///
/// For admins alone: it stands in the audit event, in its trace and in the server's log. Clients are told nothing of it.
public struct AppScriptFailure: Error, Sendable, CustomStringConvertible {
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    case mergePolicy = "merge-policy"
    case hook
  }

  public let kind: Kind
  /// The policy's name, or what the hook was asked.
  public let name: String
  /// What went wrong, with file and line if a script has them.
  public let message: String
  /// The code of the refusal that came of it.
  public let code: AuthError.Code
  /// The audit event that keeps it.
  public var eventID: String?
  /// What was thrown.
  public let cause: any Error

  public var description: String { "\(kind.rawValue) \(name): \(message)" }
}

extension AppScriptFailure {
  init(_ kind: Kind, _ name: String, _ error: any Error, from source: String? = nil) {
    let error = error as? AuthError ?? AuthError(.internalError, "It failed.", cause: error)
    var message = error.innermost
    if let source, !message.contains(source) { message = "\(source): \(message)" }
    self.init(
      kind: kind, name: name, message: message, code: error.code, eventID: nil,
      cause: error.cause ?? error)
  }

  /// The failure of a policy as an error, noted as a step of the trace.
  static func error(
    ofPolicy name: String, _ error: any Error, noting trace: inout Trace
  ) -> AuthError {
    var refusal =
      error as? AuthError
      ?? AuthError(
        .invalidPolicy, "The merge policy \(name) failed: \(error).", step: .policy, cause: error)
    let failure = AppScriptFailure(.mergePolicy, name, refusal)
    trace.note("merge policy", ["policy": name], "failed: \(failure.message)")
    refusal.cause = failure
    return refusal
  }
}

extension AuthError {
  /// The script's failure behind it, which an admin has to mend.
  package var scriptFailure: AppScriptFailure? { cause as? AppScriptFailure }

  /// The message that comes closest to what happened.
  fileprivate var innermost: String {
    switch cause {
    case let cause as AuthError: cause.innermost
    case let cause as AppScriptFailure: cause.message
    case .some(let cause) where code == .internalError: "\(cause)"
    default: message
    }
  }
}
