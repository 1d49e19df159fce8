/// An unfinished enrolment of a second factor; a plain value that survives a restart.
public struct SecondFactorEnrollment: Sendable, Hashable, Codable {
  /// The ID of the enrolment, which the client sends back with the first code.
  public let session: String
  /// The ID of the code that was sent to a phone; nil for an authenticator app.
  public let verificationID: String?
  /// The time until which the enrolment can be finished.
  public let expiresAt: Timestamp
}

/// The data that an authenticator app needs, shown once.
public struct TOTPEnrollment: Sendable {
  /// The enrolment to finish.
  public let enrollment: SecondFactorEnrollment
  /// The shared secret in base32.
  public let secret: Secret<String>
  /// The account's name in the app: its address, or else its uid.
  public let accountName: String
}

/// The result of an enrolment.
public struct EnrollmentResult: Sendable {
  /// The new factor.
  public let factor: SecondFactorInfo
  /// The account as it is now.
  public let account: Account
  /// The receipt of the enrolment.
  public let receipt: Receipt
  /// The code that removes the factor again, to be sent to the account's address.
  public let revert: ActionCode?
  /// The continued session, like ``AccountUpdateResult/session``.
  public let session: Result<SessionGrant, AuthError>?
}

/// The result of removing a second factor.
public struct WithdrawalResult: Sendable {
  /// The account as it is now.
  public let account: Account
  /// The receipt of the removal.
  public let receipt: Receipt
  /// The continued session, like ``AccountUpdateResult/session``.
  public let session: Result<SessionGrant, AuthError>?
}
