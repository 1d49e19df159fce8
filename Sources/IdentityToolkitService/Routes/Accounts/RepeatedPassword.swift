import AuthCore
import IdentityToolkit

/// The repetition of a request that set a password, by a client that did not get the answer.
///
/// A new password ends all sessions, also the one that sets it. So the client has only an ended session left; the
/// password itself opens the next one, as at a sign-in.
extension AccountHandler {
  /// The time in seconds within which the request can be repeated.
  private static let window: Int64 = 600

  /// The fields of a request that sets a password and nothing else.
  private static let fields: Set<String> = [
    "idToken", "email", "password", "returnSecureToken", "tenantId", "targetProjectId",
    "delegatedProjectNumber", "captchaChallenge", "captchaResponse", "clientType",
    "recaptchaVersion", "instanceId",
  ]

  /// Returns the result of signing in with the password of a repeated request; throws the refusal for any other.
  ///
  /// The ID token has to name the account, the account's password has to be a new one, and the request must ask for
  /// nothing else. Wrong passwords count as at a sign-in.
  func repeatedPassword(orThrow refusal: WireError) async throws -> SignInResult {
    guard refusal.message == "TOKEN_EXPIRED", body.members.keys.allSatisfy(Self.fields.contains),
      let password = try body.filled("password"), let account = try await call.accountOfToken(),
      let linked = account.passwordIdentity, let changedAt = linked.secret?.changedAt,
      services.clock() <= changedAt.adding(seconds: Self.window),
      let email = try body.email() ?? account.email, linked.key == .password(email)
    else { throw refusal }
    do {
      let credential = try passwordCredential(email, password)
      let result = try await guessing(at: email) { try await graph.signIn(credential, by: caller) }
      guard result.account.id == account.id else { throw refusal }
      return result
    } catch let error as AuthError
      where [.invalidCredential, .secondFactorRequired].contains(error.code)
    {
      throw refusal
    }
  }
}
