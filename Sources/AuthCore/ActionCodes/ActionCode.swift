/// A new code, to be sent or to be shown to an admin.
public struct ActionCode: Sendable, Hashable {
  /// The effect and addresses of the code.
  public let info: Info
  /// The code, in letters of the base64url alphabet; it proves that the mailbox was read.
  public let code: Secret<String>
  /// The time until which the code works.
  public let expiresAt: Timestamp
  /// The URL at which the person continues afterwards, if the request named one.
  public let continueURL: String?

  /// Makes a code's record.
  public init(
    info: Info, code: Secret<String>, expiresAt: Timestamp, continueURL: String? = nil
  ) {
    self.continueURL = continueURL
    self.info = info
    self.code = code
    self.expiresAt = expiresAt
  }
}

extension ActionCode {
  /// The effect of an e-mailed code, one of Firebase's out-of-band codes.
  public enum Operation: String, Sendable, Hashable, Codable, CaseIterable {
    /// Sets a new password.
    case resetPassword = "PASSWORD_RESET"
    /// Verifies the account's address.
    case verifyEmail = "VERIFY_EMAIL"
    /// Signs in with the address.
    case emailSignIn = "EMAIL_SIGNIN"
    /// Changes the account's address to the one that received the code.
    case verifyAndChangeEmail = "VERIFY_AND_CHANGE_EMAIL"
    /// Reverts a change of the address.
    case recoverEmail = "RECOVER_EMAIL"
    /// Removes a second factor that was just enrolled.
    case revertSecondFactorAddition = "REVERT_SECOND_FACTOR_ADDITION"

    /// The lifetime of a code in seconds; Firebase's if it documents one.
    public var lifetime: Int64 {
      switch self {
      case .resetPassword: 3600
      case .verifyEmail, .verifyAndChangeEmail: 3 * 86400
      case .emailSignIn: 6 * 3600
      case .recoverEmail, .revertSecondFactorAddition: 30 * 86400
      }
    }

    /// The `mode` parameter of the link.
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

  /// The details of a code that can be read without using it.
  public struct Info: Sendable, Hashable {
    /// The effect of the code.
    public let operation: Operation
    /// The address that the code was made for.
    public let email: EmailAddress
    /// The address that the account changes to.
    public let newEmail: EmailAddress?
    /// The second factor that the code removes.
    public let factor: SecondFactorInfo?

    /// Makes the details of a code.
    public init(
      operation: Operation, email: EmailAddress, newEmail: EmailAddress? = nil,
      factor: SecondFactorInfo? = nil
    ) {
      self.operation = operation
      self.email = email
      self.newEmail = newEmail
      self.factor = factor
    }
  }
}

/// A code's details, its account and the origin of its request.
public struct ActionCodeDetails: Sendable {
  /// The effect and addresses of the code.
  public let info: ActionCode.Info
  /// The account as it is now; nil if it is gone.
  public let account: Account?
  /// The time the code was requested.
  public let requestedAt: Timestamp
  /// The network address of the request; nil if unknown.
  public let address: String?
  /// The user agent of the request, cut to 200 characters; nil if unknown.
  public let userAgent: String?
}
