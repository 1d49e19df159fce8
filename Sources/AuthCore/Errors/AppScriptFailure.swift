/// The failure of an app's script or function: an error, a timeout or an invalid answer.
///
/// For admins alone: it is in the audit event, in its trace and in the server's log. Clients see nothing of it.
public struct AppScriptFailure: Error, Sendable, CustomStringConvertible {
  /// The kind of a script.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    /// A merge policy.
    case mergePolicy = "merge-policy"
    /// A function of the app.
    case hook
  }

  /// The kind of the script.
  public let kind: Kind
  /// The policy's name, or the question that the hook was asked.
  public let name: String
  /// The error text, with file and line if a script has them.
  public let message: String
  /// The code of the resulting refusal.
  public let code: AuthError.Code
  /// The ID of the audit event that records it.
  public var eventID: String?
  /// The error that was thrown.
  public let cause: any Error

  /// The kind, name and message in one line.
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

  /// Returns the failure of a policy as an error, and notes it in the trace.
  static func error(
    ofPolicy name: String, _ error: any Error, noting trace: inout Trace
  ) -> AuthError {
    var refusal =
      error as? AuthError
      ?? AuthError(
        .invalidPolicy, "The merge policy \(name) failed: \(error).",
        remedy: "Correct the policy, and use it again.", step: .policy, cause: error)
    let failure = AppScriptFailure(.mergePolicy, name, refusal)
    trace.note("merge policy", ["policy": name], "failed: \(failure.message)")
    refusal.cause = failure
    return refusal
  }
}

extension AuthError {
  /// The script's failure that caused the error, for an admin to correct.
  package var scriptFailure: AppScriptFailure? { cause as? AppScriptFailure }

  /// The message of the innermost cause.
  fileprivate var innermost: String {
    switch cause {
    case let cause as AuthError: cause.innermost
    case let cause as AppScriptFailure: cause.message
    case .some(let cause) where code == .internalError: "\(cause)"
    default: message
    }
  }
}
