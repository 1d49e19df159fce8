/// What went wrong, in the words of Firebase's SDKs where they have one.
///
/// `description` is safe to show to anybody: it never tells who owns an identity and holds no secret.
/// Who was involved stands in the audit event that ``eventID`` names.
public struct AuthError: Error, Sendable {
  public var code: Code
  /// One sentence for a developer or an admin.
  public var message: String
  /// What to do about it.
  public var remedy: String?
  /// The input field at fault, where one is.
  public var field: String?
  /// Where a sign-in broke.
  public var step: FlowStep?
  /// The audit event that holds the details, once one was written.
  public var eventID: String?
  public var cause: (any Error)?
  /// The check that failed, for the audit alone, if clients are told less.
  ///
  /// It stands in the source as it is, so that no secret can be in it.
  package var check: StaticString?
  /// Firebase's names of what a password lacks, where the code is `password-does-not-meet-requirements`.
  public var criteria: [String] = []
  /// What to go on with, where the code is `second-factor-required`.
  public var resolver: MultiFactorResolver?
  /// What stands for the refused credential for a while, if that was asked for; Firebase's `pendingToken`.
  public var pendingToken: Secret<String>?

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
  /// The same error, which tells admins which check failed.
  package func failing(_ check: StaticString) -> AuthError {
    var error = self
    error.check = check
    return error
  }
}

/// The steps of a sign-in, so that an error says where it broke.
public enum FlowStep: String, Sendable, Codable {
  case credential, state, exchange, token, profile, decision, policy, commit
}

extension AuthError: CustomStringConvertible, CustomDebugStringConvertible {
  public var description: String {
    let place = field.map { " (\($0))" } ?? ""
    let advice = remedy.map { " \($0)" } ?? ""
    return "\(code)\(place): \(message)\(advice)"
  }

  /// The description with its cause, for a log that only admins read.
  public var debugDescription: String {
    cause.map { "\(description) [\(String(reflecting: $0))]" } ?? description
  }
}

/// Errors are equal when they say the same; their causes are not compared.
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
