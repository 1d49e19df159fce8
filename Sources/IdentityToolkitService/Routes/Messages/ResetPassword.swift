import AuthCore
import IdentityToolkit

extension MessageHandler {
  /// `accounts:resetPassword`: returns a code's details, or sets a new password with it.
  func resetPassword() async throws -> Answer {
    guard try await isOpen(.password) else {
      throw behavior.closedReset
    }
    guard let code = try body.filled("oobCode") else { throw WireError("MISSING_OOB_CODE") }
    guard let password = try body.filled("newPassword") else {
      return .json(.object(answer(try await graph.actionCode(code, by: caller))))
    }
    let result = try await confirmReset(code, Secret(password))
    // Only the mailbox is proven; the account may have a second factor.
    let ways = waysIn(after: result.receipt, of: result.account.id, for: .mailbox)
    return .json(.object(answer(result.info).merging(ways) { $1 }))
  }

  /// Sets a password.
  ///
  /// A code of another kind, or of a deleted account, counts as unknown.
  func confirmReset(
    _ code: String, _ password: Secret<String>
  ) async throws -> ActionCodeResult {
    do {
      let result = try await graph.confirmPasswordReset(code, newPassword: password, by: caller)
      await letters.sendTakeBacks(of: result.receipt, result.account)
      return result
    } catch let error as AuthError
      where error.code == .userNotFound || error.code == .operationNotAllowed
    {
      throw WireError("INVALID_OOB_CODE")
    }
  }

  private func answer(_ info: ActionCode.Info) -> [String: JSONValue] {
    var answer: [String: JSONValue] = [
      "kind": "identitytoolkit#ResetPasswordResponse",
      "requestType": .string(info.operation.rawValue),
    ]
    // The holder of a sign-in link has to know the address to use it.
    if info.operation != .emailSignIn { answer["email"] = .string(info.email.text) }
    if let newEmail = info.newEmail { answer["newEmail"] = .string(newEmail.text) }
    if let factor = info.factor { answer["mfaInfo"] = factor.hint }
    return answer
  }
}
