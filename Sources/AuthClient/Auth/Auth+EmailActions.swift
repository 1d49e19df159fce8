import AuthValues
import Foundation
import IdentityToolkit

extension Auth {
  /// The ways in to whatever account has an address.
  ///
  /// A project that does not tell who has an account answers with an empty list.
  @available(*, deprecated, message: "Most projects do not tell who has an account.")
  public func fetchSignInMethods(forEmail email: String) async throws -> [String] {
    let fields = try await toolkit.call(
      .createAuthUri, ["identifier": .string(email), "continueUri": "http://localhost"])
    return (try? fields.texts("signinMethods")) ?? []
  }

  /// Sends a message with a link that sets a new password.
  ///
  /// Throws `userNotFound` unless the project does not tell who has an account, `invalidEmail`,
  /// `unauthorizedDomain` or `invalidContinueURI`.
  public func sendPasswordReset(
    withEmail email: String, actionCodeSettings: ActionCodeSettings? = nil
  ) async throws {
    try await sendCode("PASSWORD_RESET", email, actionCodeSettings)
  }

  /// Sets a new password with the code of a message's link.
  ///
  /// Throws `expiredActionCode`, `invalidActionCode` or `weakPassword`.
  public func confirmPasswordReset(withCode code: String, newPassword: String) async throws {
    guard !newPassword.isEmpty else { throw NSError.auth(.weakPassword) }
    _ = try await toolkit.call(
      .resetPassword, ["oobCode": .string(code), "newPassword": .string(newPassword)])
  }

  /// Gives the address whose password a code sets; the code stays good.
  public func verifyPasswordResetCode(_ code: String) async throws -> String {
    try await checkActionCode(code).email
  }

  /// Says what a code of a message's link is for; the code stays good.
  ///
  /// Throws `expiredActionCode` or `invalidActionCode`.
  public func checkActionCode(_ code: String) async throws -> ActionCodeInfo {
    let fields = try await toolkit.call(.resetPassword, ["oobCode": .string(code)])
    return ActionCodeInfo(
      requestType: fields.string("requestType"), email: fields.string("email"),
      newEmail: fields.string("newEmail"))
  }

  /// Does what a code of a message's link is for, such as verifying an address.
  ///
  /// Throws `expiredActionCode` or `invalidActionCode`.
  public func applyActionCode(_ code: String) async throws {
    _ = try await toolkit.call(.update, ["oobCode": .string(code)])
  }

  /// Sends a message with a link that signs in.
  ///
  /// Traps unless `handleCodeInApp` is set: the app has to take the link.
  public func sendSignInLink(
    toEmail email: String, actionCodeSettings: ActionCodeSettings
  ) async throws {
    precondition(
      actionCodeSettings.handleCodeInApp,
      "Set handleCodeInApp of the ActionCodeSettings: the app itself has to take the link.")
    try await sendCode("EMAIL_SIGNIN", email, actionCodeSettings)
  }

  /// Whether a link is one that signs in.
  public func isSignIn(withEmailLink link: String) -> Bool {
    guard let url = ActionCodeURL(link: link) else { return false }
    return url.operation == .emailLink && url.code?.isEmpty == false
  }

  /// Has Apple end the tokens that a code of its sign-in gives.
  ///
  /// Throws `nullUser` where nobody is signed in.
  public func revokeToken(withAuthorizationCode code: String) async throws {
    guard let user = currentUser else { throw NSError.auth(.nullUser) }
    _ = try await toolkit.call(
      .revokeToken,
      [
        "idToken": .string(try await user.getIDToken()), "providerId": "apple.com",
        "tokenType": "CODE", "token": .string(code),
      ])
  }

  private func sendCode(
    _ kind: String, _ email: String, _ settings: ActionCodeSettings?
  ) async throws {
    guard !email.isEmpty else { throw NSError.auth(.missingEmail) }
    var members = settings?.members ?? [:]
    members["requestType"] = .string(kind)
    members["email"] = .string(email)
    _ = try await toolkit.call(.sendOobCode, members)
  }
}
