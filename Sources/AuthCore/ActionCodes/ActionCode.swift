/// What a code that came by e-mail does; Firebase's out-of-band codes.
public enum ActionCodeOperation: String, Sendable, Hashable, Codable, CaseIterable {
  case resetPassword = "PASSWORD_RESET"
  case verifyEmail = "VERIFY_EMAIL"
  case emailSignIn = "EMAIL_SIGNIN"
  case verifyAndChangeEmail = "VERIFY_AND_CHANGE_EMAIL"
  case recoverEmail = "RECOVER_EMAIL"
  case revertSecondFactorAddition = "REVERT_SECOND_FACTOR_ADDITION"

  /// How long a code lasts, in seconds; Firebase's numbers where it names one.
  public var lifetime: Int64 {
    switch self {
    case .resetPassword: 3600
    case .verifyEmail, .verifyAndChangeEmail: 3 * 86400
    case .emailSignIn: 6 * 3600
    case .recoverEmail, .revertSecondFactorAddition: 30 * 86400
    }
  }

  /// The `mode` of the link.
  public var linkMode: String {
    switch self {
    case .resetPassword: "resetPassword"
    case .verifyEmail: "verifyEmail"
    case .emailSignIn: "signIn"
    case .verifyAndChangeEmail: "verifyAndChangeEmail"
    case .recoverEmail: "recoverEmail"
    case .revertSecondFactorAddition: "revertSecondFactorAddition"
    }
  }
}

/// What is known of a code without using it.
public struct ActionCodeInfo: Sendable, Hashable {
  public let operation: ActionCodeOperation
  /// The address that the code was made for.
  public let email: EmailAddress
  /// The address that the account changes to.
  public let newEmail: EmailAddress?
  /// The second factor that a revert takes away.
  public let factor: MultiFactorInfo?

  public init(
    operation: ActionCodeOperation, email: EmailAddress, newEmail: EmailAddress? = nil,
    factor: MultiFactorInfo? = nil
  ) {
    self.operation = operation
    self.email = email
    self.newEmail = newEmail
    self.factor = factor
  }
}

/// A code with the account that it is for, and where it was asked for.
public struct ActionCodeDetails: Sendable {
  public let info: ActionCodeInfo
  /// The account as it is now; nil if it is gone.
  public let account: Account?
  public let requestedAt: Timestamp
  /// The address of the network that the request came from; nil if unknown.
  public let address: String?
  /// What the browser or the app that asked calls itself, cut to 200 characters; nil if unknown.
  public let userAgent: String?
}

/// A code that was made, to be sent or to be given to an admin.
public struct IssuedActionCode: Sendable, Hashable {
  public let info: ActionCodeInfo
  /// What proves that the mailbox was read: one text of the base64url alphabet.
  public let code: Secret<String>
  public let expiresAt: Timestamp
  /// Where the person goes on afterwards, where that was asked for.
  public let continueURL: String?

  public init(
    info: ActionCodeInfo, code: Secret<String>, expiresAt: Timestamp, continueURL: String? = nil
  ) {
    self.continueURL = continueURL
    self.info = info
    self.code = code
    self.expiresAt = expiresAt
  }
}
