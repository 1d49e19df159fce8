import AuthValues
import Foundation
import IdentityToolkit

extension Auth {
  /// Returns the sign-in methods of the account with an address.
  ///
  /// A project with e-mail privacy answers with an empty list.
  @available(*, deprecated, message: "Most projects do not reveal which addresses have accounts.")
  public func fetchSignInMethods(forEmail email: String) async throws -> [String] {
    let fields = try await toolkit.call(
      .createAuthUri, ["identifier": .string(email), "continueUri": "http://localhost"])
    return (try? fields.texts("signinMethods")) ?? []
  }

  /// Sends a message with a link that sets a new password.
  ///
  /// Throws `userNotFound` (not with e-mail privacy), `invalidEmail`, `unauthorizedDomain` or `invalidContinueURI`.
  public func sendPasswordReset(
    withEmail email: String, actionCodeSettings: ActionCodeSettings? = nil
  ) async throws {
    try await sendCode("PASSWORD_RESET", email, actionCodeSettings)
  }

  /// Sets a new password with the code of a link.
  ///
  /// Throws `expiredActionCode`, `invalidActionCode` or `weakPassword`.
  public func confirmPasswordReset(withCode code: String, newPassword: String) async throws {
    guard !newPassword.isEmpty else { throw NSError.missingPassword }
    _ = try await toolkit.call(
      .resetPassword, ["oobCode": .string(code), "newPassword": .string(newPassword)])
  }

  /// Returns the address of the account whose password a code resets.
  ///
  /// The code stays valid.
  public func verifyPasswordResetCode(_ code: String) async throws -> String {
    try await checkActionCode(code).email
  }

  /// Returns the purpose of a link's code.
  ///
  /// The code stays valid.
  ///
  /// Throws `expiredActionCode` or `invalidActionCode`.
  public func checkActionCode(_ code: String) async throws -> ActionCodeInfo {
    let fields = try await toolkit.call(.resetPassword, ["oobCode": .string(code)])
    return ActionCodeInfo(
      requestType: fields.string("requestType"), email: fields.string("email"),
      newEmail: fields.string("newEmail"))
  }

  /// Performs the operation of a link's code, such as verifying an address.
  ///
  /// Throws `expiredActionCode` or `invalidActionCode`.
  public func applyActionCode(_ code: String) async throws {
    _ = try await toolkit.call(.update, ["oobCode": .string(code)])
  }

  /// Sends a message with a link that signs in.
  ///
  /// Traps unless `handleCodeInApp` is set, because the app has to open the link.
  public func sendSignInLink(
    toEmail email: String, actionCodeSettings: ActionCodeSettings
  ) async throws {
    precondition(
      actionCodeSettings.handleCodeInApp,
      "Set handleCodeInApp of the ActionCodeSettings: the app itself has to take the link.")
    try await sendCode("EMAIL_SIGNIN", email, actionCodeSettings)
  }

  /// Returns true for a sign-in link.
  public func isSignIn(withEmailLink link: String) -> Bool {
    guard let url = ActionCodeURL(link: link) else { return false }
    return url.operation == .emailLink && url.code?.isEmpty == false
  }

  /// Revokes the tokens of an authorization code of Sign in with Apple.
  ///
  /// Throws `nullUser` if no user is signed in.
  public func revokeToken(withAuthorizationCode code: String) async throws {
    guard let user = currentUser else { throw NSError.auth(.nullUser) }
    try await user.withToken {
      try await toolkit.call(
        .revokeToken,
        [
          "idToken": .string($0), "providerId": "apple.com", "tokenType": "CODE",
          "token": .string(code),
        ])
    }
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
