public import Foundation

/// The purpose of an action code, and the address that it is for.
#if canImport(ObjectiveC)
  @objcMembers @objc(FIRActionCodeInfo)
#endif
public final class ActionCodeInfo: NSObject, Sendable {
  /// The operation that the code performs.
  ///
  /// Both the servers' names (`PASSWORD_RESET`) and those of links (`resetPassword`) are understood. Firebase's SDK
  /// knows only the latter, so a checked code is always `unknown` to it.
  public let operation: ActionCodeOperation
  /// The account's address, or its new address once the code is used; empty if the server sends none.
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
