import AuthCore
import AuthTesting
import BuiltInProviders
import Testing
import TestSupport

/// An account with an authenticator app as its second factor.
struct Guarded: Sendable {
  let id: AccountID
  let factor: SecondFactorInfo
  let secret: Secret<String>
}

extension ProviderHome {
  /// Enrols an authenticator app, as an admin.
  func guardWithTOTP(_ account: AccountID) async throws -> Guarded {
    // A second factor requires a verified address, even if an admin enrols it.
    let holder = try await self.account(account)
    if holder.email != nil, !holder.emailVerified {
      var changes = ProfileChanges()
      changes.emailVerified = true
      _ = try await graph.update(account, changes, by: admin)
    }
    let open = try await graph.beginTOTPEnrollment(for: account, by: admin)
    let done = try await graph.finishEnrollment(
      open.enrollment, code: try code(open.secret), by: admin)
    // The code's time step is used up.
    clock.advance(seconds: 60)
    return Guarded(id: account, factor: done.factor, secret: open.secret)
  }

  /// The current code of the authenticator app.
  func code(_ secret: Secret<String>) throws -> Secret<String> {
    Secret(try totp.code(for: secret, at: clock.now).unwrapped("code"))
  }

  /// Expects that an operation waits for the second factor, and returns its resolver.
  func waiting<Result>(
    sourceLocation: SourceLocation = #_sourceLocation, _ body: () async throws -> Result
  ) async throws -> SecondFactorResolver {
    let error = await expectError(.secondFactorRequired, sourceLocation: sourceLocation, of: body)
    return try (error?.resolver).unwrapped("resolver")
  }

  /// Shows the code of the app, and completes the pending operation.
  func resolve(
    _ resolver: SecondFactorResolver, _ guarded: Guarded, by caller: Caller? = nil
  ) async throws -> SignInResult {
    try await graph.resolve(
      resolver, with: .totp(factorID: guarded.factor.id, code: try code(guarded.secret)),
      by: caller ?? anyone)
  }
}
