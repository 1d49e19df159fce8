/// What is wanted of a code.
public struct ActionCodeRequest: Sendable {
  public var operation: ActionCodeOperation
  /// The account's address; nil where the account itself asks.
  public var email: EmailAddress?
  public var newEmail: EmailAddress?
  /// What the recipient is told about who asked.
  public var requestedFrom: String?

  public init(
    _ operation: ActionCodeOperation, email: EmailAddress? = nil, newEmail: EmailAddress? = nil,
    requestedFrom: String? = nil
  ) {
    self.operation = operation
    self.email = email
    self.newEmail = newEmail
    self.requestedFrom = requestedFrom
  }
}

extension AccountGraph {
  /// Makes a code; sending it is the caller's matter, with ``sendActionCode(_:link:by:)``.
  ///
  /// A session asks for its own account, an admin and anyone name the address. Gives nil where nobody has
  /// the address and the scope's answers keep that to themselves. Throws `user-not-found`,
  /// `email-already-in-use`, `operation-not-allowed`, `invalid-argument` (field `email`, `newEmail`),
  /// `too-many-requests`.
  public func makeActionCode(
    _ request: ActionCodeRequest, by caller: Caller
  ) async throws -> IssuedActionCode? { throw Unfinished() }

  /// Sends a code that was made, as a link that the caller composed around it.
  public func sendActionCode(
    _ issued: IssuedActionCode, link: Secret<String>, requestedFrom: String?, locale: String?,
    by caller: Caller
  ) async throws { throw Unfinished() }

  /// Tells what a code would do; throws `invalid-action-code` or `expired-action-code`.
  public func actionCode(_ code: String, by caller: Caller) async throws -> ActionCodeInfo {
    throw Unfinished()
  }

  /// Uses a code that verifies, changes or recovers an address, or takes a second factor away.
  ///
  /// Throws `invalid-action-code`, `expired-action-code`, `user-disabled`, `email-already-in-use`, or
  /// `operation-not-allowed` for a code of another kind.
  public func applyActionCode(
    _ code: String, by caller: Caller
  ) async throws -> (info: ActionCodeInfo, account: Account, receipt: Receipt) {
    throw Unfinished()
  }

  /// Sets a new password by a code, verifies the address and ends every session.
  ///
  /// Throws like ``applyActionCode(_:by:)``, `weak-password` or `password-does-not-meet-requirements`; the
  /// code is good for another attempt then.
  public func confirmPasswordReset(
    _ code: String, newPassword: Secret<String>, by caller: Caller
  ) async throws -> (info: ActionCodeInfo, receipt: Receipt) { throw Unfinished() }

  /// The codes that are open in a scope, for the emulator's list; oldest first.
  public func openActionCodes(in scope: Scope) async throws -> [IssuedActionCode] {
    throw Unfinished()
  }
}
