import AuthCore
import AuthTesting
import BuiltInProviders
import Testing
import TestSupport

extension TestHome {
  /// Makes an account with a verified address that signs in with `fake.example` under its own name.
  func person(_ name: String, email: String? = nil) async throws -> Account {
    let result = try await signIn(credential(name, email: email ?? "\(name)@example.com"))
    try await update(result.account.id) { $0.emailVerified = true }
    return try await account(result.account.id)
  }

  /// Enrols an authenticator app, and returns its factor and secret.
  func enrollTOTP(
    _ account: AccountID, name: String? = nil
  ) async throws -> (factor: SecondFactorInfo, secret: Secret<String>) {
    let caller = session(account, secondFactor: true)
    let open = try await graph.beginTOTPEnrollment(for: account, by: caller)
    let done = try await graph.finishEnrollment(
      open.enrollment, code: code(open.secret), displayName: name, by: caller)
    // Its sessions ended, and the code's time step is used up.
    clock.advance(seconds: 60)
    return (done.factor, open.secret)
  }

  /// Enrols a phone, and returns its factor.
  func enrollPhone(_ account: AccountID, _ number: String) async throws -> SecondFactorInfo {
    let caller = session(account, secondFactor: true)
    let open = try await graph.beginPhoneEnrollment(
      of: PhoneNumber(number), for: account, by: caller)
    let done = try await graph.finishEnrollment(open, code: sentCode(number), by: caller)
    clock.advance(seconds: 60)
    return done.factor
  }

  /// Returns the code that an authenticator app with this secret shows now.
  func code(_ secret: Secret<String>, after seconds: Int64 = 0) throws -> Secret<String> {
    Secret(try totp.code(for: secret, at: clock.now.adding(seconds: seconds)).unwrapped("code"))
  }

  /// Returns the newest code that was sent to a number.
  func sentCode(_ number: String) throws -> Secret<String> {
    try messages.last(to: number).unwrapped("message").proof
  }

  /// Signs in up to the second factor, and returns the resolver.
  func resolver(
    sourceLocation: SourceLocation = #_sourceLocation, _ body: () async throws -> some Any
  ) async throws -> SecondFactorResolver {
    let error = await expectError(
      .secondFactorRequired, sourceLocation: sourceLocation, of: body)
    return try (error?.resolver).unwrapped("resolver")
  }
}
