import AuthCore
import IdentityToolkit

extension MessageHandler {
  /// `accounts:signInWithEmailLink`: signs in with the code of a link, or adds the address to an account.
  func signInWithEmailLink() async throws -> Answer {
    guard try await isOpen(.emailLink) else {
      throw behavior.closed(.emailLink)
    }
    let signedIn = try await call.signedInIfAny()
    guard try body.filled("email") != nil else { throw WireError("MISSING_EMAIL") }
    guard let code = try body.filled("oobCode") else { throw WireError("MISSING_OOB_CODE") }
    let email = try loweredEmail()
    var answer: [String: JSONValue] = [
      "kind": "identitytoolkit#EmailLinkSigninResponse", "email": .string(email.text),
    ]
    do {
      let credential = try graph.providers.credential(
        .emailLink, ["email": email.text, "link": code])
      let outcome = try await enter(credential, signedIn)
      answer["localId"] = .string(outcome.account.id.rawValue)
      answer["isNewUser"] = .bool(outcome.isNewUser)
      answer.merge(try await outcome.tokens(call)) { first, _ in first }
    } catch let error as AuthError {
      guard error.code == .secondFactorRequired, let resolver = error.resolver else {
        throw Self.emailLinkError(error)
      }
      answer["localId"] = resolver.account.map { .string($0.rawValue) }
      answer["isNewUser"] = false
      answer.merge(call.pendingSecondFactor(resolver)) { first, _ in first }
    }
    return .json(.object(answer))
  }

  private static func emailLinkError(_ error: AuthError) -> any Error {
    switch error.code {
    case .invalidCredential, .invalidVerificationID, .invalidVerificationCode, .codeExpired:
      WireError("INVALID_OOB_CODE")
    case .invalidEmail:
      WireError(
        "INVALID_EMAIL", "The email provided does not match the sign-in email address.")
    case .credentialAlreadyInUse, .emailAlreadyInUse, .providerAlreadyLinked:
      WireError("EMAIL_EXISTS")
    default: error
    }
  }
}
