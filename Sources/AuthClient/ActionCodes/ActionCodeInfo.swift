public import Foundation

/// The purpose of an action code, and its address.
#if canImport(ObjectiveC)
  @objc(FIRActionCodeInfo)
#endif
public final class ActionCodeInfo: NSObject, Sendable {
  /// The operation that the code performs.
  ///
  /// It is read from a server's name (`PASSWORD_RESET`) or a link's (`resetPassword`). Firebase's SDK reads only the
  /// latter, so its checked codes are always `unknown`.
  public let operation: ActionCodeOperation
  /// The account's address after the code is used; empty if the server sends none.
  public let email: String
  /// The current address, if the code changes it.
  public let previousEmail: String?

  /// Reads an answer of `accounts:resetPassword`.
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
