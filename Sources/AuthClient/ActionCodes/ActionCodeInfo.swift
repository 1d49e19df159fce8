public import Foundation

/// What a code does, and for which address.
#if canImport(ObjectiveC)
  @objcMembers @objc(FIRActionCodeInfo)
#endif
public final class ActionCodeInfo: NSObject, Sendable {
  /// What the code does.
  ///
  /// It is read from the servers' names (`PASSWORD_RESET`) as well as from those of links (`resetPassword`).
  /// Firebase's SDK knows the latter alone, so that a checked code is always `unknown` to it.
  public let operation: ActionCodeOperation
  /// The address that the account has, or will have after the code is used; empty where none is told.
  public let email: String
  /// The address before the code is used, where it changes it.
  public let previousEmail: String?

  /// Reads what an answer of `accounts:resetPassword` says.
  init(requestType: String?, email: String?, newEmail: String?) {
    operation = ActionCodeOperation(wire: requestType)
    if let newEmail, !newEmail.isEmpty {
      self.email = newEmail
      previousEmail = email
    } else {
      self.email = email ?? ""
      previousEmail = nil
    }
  }
}
