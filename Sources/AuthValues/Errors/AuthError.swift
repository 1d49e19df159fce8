/// An error that clients, admins and scripts can see, with Firebase's code if it has one.
///
/// `description` is safe to show to every client: it holds no secret and does not reveal who owns an identity. The
/// audit event named by ``eventID`` records who was involved.
public struct AuthError: Error, Sendable {
  /// The code that clients compare.
  public var code: Code
  /// One sentence for a developer or an admin.
  public var message: String
  /// Advice for correcting the error.
  public var remedy: String?
  /// The input field at fault, if there is one.
  public var field: String?
  /// The step of the sign-in that failed.
  public var step: FlowStep?
  /// The ID of the audit event with the details, once it is written.
  public var eventID: String?
  /// The underlying error; shown by `debugDescription` alone.
  public var cause: (any Error)?
  /// The failed check, recorded in the audit if clients are told less.
  ///
  /// A literal of the source, so that it cannot contain a secret.
  package var check: StaticString?
  /// Firebase's names of the unmet criteria, for the code `password-does-not-meet-requirements`.
  public var criteria: [String] = []
  /// The pending sign-in to continue, for the code `second-factor-required`.
  public var resolver: SecondFactorResolver?
  /// A short-lived stand-in for the refused credential, if one was requested; Firebase's `pendingToken`.
  public var pendingToken: Secret<String>?

  /// Makes an error; the properties without a parameter are set afterwards.
  public init(
    _ code: Code, _ message: String, field: String? = nil, remedy: String? = nil,
    step: FlowStep? = nil, cause: (any Error)? = nil
  ) {
    self.code = code
    self.message = message
    self.field = field
    self.remedy = remedy
    self.step = step
    self.cause = cause
  }
}

extension AuthError {
  /// Returns the error with the failed check, which admins alone see.
  package func failing(_ check: StaticString) -> AuthError {
    var error = self
    error.check = check
    return error
  }
}

/// The steps of a sign-in, so that an error can name the one that failed.
public enum FlowStep: String, Sendable, Codable {
  case credential, state, exchange, token, profile, decision, policy, commit
}

extension AuthError: CustomStringConvertible, CustomDebugStringConvertible {
  /// The code, field, message and remedy in one line.
  public var description: String {
    let place = field.map { " (\($0))" } ?? ""
    let advice = remedy.map { " \($0)" } ?? ""
    return "\(code)\(place): \(message)\(advice)"
  }

  /// The description with its cause, for logs that only admins read.
  public var debugDescription: String {
    cause.map { "\(description) [\(String(reflecting: $0))]" } ?? description
  }
}

/// Errors are equal if code, message, remedy, field, step and event are; causes are not compared.
extension AuthError: Hashable {
  public static func == (a: AuthError, b: AuthError) -> Bool {
    a.code == b.code && a.message == b.message && a.remedy == b.remedy && a.field == b.field
      && a.step == b.step && a.eventID == b.eventID
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(code)
    hasher.combine(message)
    hasher.combine(field)
  }
}
