import AuthClient
import Foundation

/// The snippets of the article "Second factor at sign-in".
enum SecondFactorSnippets {
  static func enrollPhone(
    _ user: User, number: String, auth: Auth, _ ask: (String) async throws -> String
  ) async throws {
    // snippet: enroll phone
    let session = try await user.multiFactor.session()
    let phones = PhoneAuthProvider.provider(auth: auth)
    let id = try await phones.verifyPhoneNumber(number, multiFactorSession: session)
    let code = try await ask("The code that was sent to \(number)")
    let proof = phones.credential(withVerificationID: id, verificationCode: code)
    try await user.multiFactor.enroll(
      with: PhoneMultiFactorGenerator.assertion(with: proof), displayName: "My phone")
    // end
  }

  static func enrollApp(
    _ user: User, _ ask: (_ key: String) async throws -> String
  ) async throws {
    // snippet: enroll app
    let secret = try await TOTPMultiFactorGenerator.generateSecret(
      with: try await user.multiFactor.session())
    let code = try await ask(secret.sharedSecretKey())
    try await user.multiFactor.enroll(
      with: TOTPMultiFactorGenerator.assertionForEnrollment(with: secret, oneTimePassword: code),
      displayName: "Authenticator")
    // end
  }
}

// snippet: sign in
func signInByFactors(
  with credential: AuthCredential, auth: Auth, _ ask: (String) async throws -> String
) async throws -> User {
  do {
    return try await auth.signIn(with: credential).user
  } catch {
    guard let resolver = error.multiFactorResolver else { throw error }
    return try await resolve(resolver, ask).user
  }
}
// end

// snippet: resolve
func resolve(
  _ resolver: MultiFactorResolver, _ ask: (String) async throws -> String
) async throws -> AuthDataResult {
  guard let phone = resolver.hints.first as? PhoneMultiFactorInfo else {
    return try await resolveByApp(resolver, ask)
  }
  let phones = PhoneAuthProvider.provider(auth: resolver.auth)
  let id = try await phones.verifyPhoneNumber(with: phone, multiFactorSession: resolver.session)
  let code = try await ask("The code that was sent to \(phone.phoneNumber)")
  let proof = phones.credential(withVerificationID: id, verificationCode: code)
  return try await resolver.resolveSignIn(with: PhoneMultiFactorGenerator.assertion(with: proof))
}
// end

// snippet: resolve by app
func resolveByApp(
  _ resolver: MultiFactorResolver, _ ask: (String) async throws -> String
) async throws -> AuthDataResult {
  let app = resolver.hints.first { $0.factorID == PhoneMultiFactorInfo.TOTPMultiFactorID }
  guard let app else { throw AuthErrorCode.multiFactorInfoNotFound }
  let code = try await ask("The code that \(app.displayName ?? "the app") shows")
  return try await resolver.resolveSignIn(
    with: TOTPMultiFactorGenerator.assertionForSignIn(
      withEnrollmentID: app.uid, oneTimePassword: code))
}
// end
