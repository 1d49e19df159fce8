import AuthCore
import AuthTesting
import Testing
import TestSupport

extension TestHome {
  /// Makes an account with a password and an address, verified or not.
  func withPassword(
    _ email: String, _ password: String = "first-secret", verified: Bool = true
  ) async throws -> Account {
    let account = try await graph.signUp(self.password(email, password), by: anyone).account
    if verified { try await update(account.id) { $0.emailVerified = true } }
    clock.advance(seconds: 60)
    return try await self.account(account.id)
  }

  /// Makes a code on request.
  func code(
    _ operation: ActionCode.Operation, _ email: String? = nil, new: String? = nil,
    by caller: Caller? = nil
  ) async throws -> ActionCode {
    try await graph.makeActionCode(
      ActionCodeRequest(
        operation, email: email.map { try EmailAddress($0) },
        newEmail: new.map { try EmailAddress($0) }), by: caller ?? anyone
    ).unwrapped("code")
  }

  /// Sends a code, and waits until it is sent.
  func send(_ code: ActionCode, _ letter: ActionCodeLetter) async throws {
    try await graph.sendActionCode(code, as: letter, by: anyone)
    let courier = MessageCourier(graph)
    courier.wake()
    await courier.settled()
    await courier.finish(within: .zero)
  }

  @discardableResult
  func apply(_ code: ActionCode) async throws -> ActionCodeResult {
    try await graph.applyActionCode(code.code.reveal(), by: anyone)
  }

  @discardableResult
  func reset(_ code: ActionCode, _ password: String) async throws -> ActionCodeResult {
    try await graph.confirmPasswordReset(
      code.code.reveal(), newPassword: Secret(password), by: anyone)
  }

  /// Signs in with an e-mailed code.
  func enter(_ code: ActionCode, _ email: String) async throws -> SignInResult {
    try await signIn(
      graph.providers.credential(.emailLink, ["email": email, "link": code.code.reveal()]))
  }
}
