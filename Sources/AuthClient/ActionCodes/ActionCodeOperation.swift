import Foundation

/// The operation of the code in an e-mail link.
#if canImport(ObjectiveC)
  @objc(FIRActionCodeOperation)
#endif
public enum ActionCodeOperation: Int, Sendable, CaseIterable {
  /// An operation that this client does not know.
  case unknown = 0
  /// Sets a new password.
  case passwordReset = 1
  /// Verifies the account's address.
  case verifyEmail = 2
  /// Reverts a change of the address.
  case recoverEmail = 3
  /// Signs in.
  case emailLink = 4
  /// Verifies a new address and sets it as the account's.
  case verifyAndChangeEmail = 5
  /// Removes a recently added second factor.
  case revertSecondFactorAddition = 6
}

extension ActionCodeOperation {
  /// Reads the `mode` of a link or the `requestType` of a server's answer.
  init(wire name: String?) {
    self = name.flatMap { Self.names[$0] } ?? .unknown
  }

  private static let names: [String: ActionCodeOperation] = [
    "resetPassword": .passwordReset, "PASSWORD_RESET": .passwordReset,
    "verifyEmail": .verifyEmail, "VERIFY_EMAIL": .verifyEmail,
    "recoverEmail": .recoverEmail, "RECOVER_EMAIL": .recoverEmail,
    "signIn": .emailLink, "EMAIL_SIGNIN": .emailLink,
    "verifyAndChangeEmail": .verifyAndChangeEmail,
    "VERIFY_AND_CHANGE_EMAIL": .verifyAndChangeEmail,
    "revertSecondFactorAddition": .revertSecondFactorAddition,
    "REVERT_SECOND_FACTOR_ADDITION": .revertSecondFactorAddition,
  ]
}
