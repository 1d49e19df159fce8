import AuthClient
import AuthCore
import AuthTesting
import IdentityToolkitService

/// Codes by phone.
extension Provocation {
  private static func sign(_ id: String, _ code: String, _ home: AuthHome) async throws {
    let provider = PhoneAuthProvider.provider(auth: home.auth)
    try await home.auth.signIn(
      with: provider.credential(withVerificationID: id, verificationCode: code))
  }

  static let phones: [Provocation] = [
    Provocation(.missingPhoneNumber) { home in
      _ = try await PhoneAuthProvider.provider(auth: home.auth).verifyPhoneNumber("")
    },
    Provocation(.invalidPhoneNumber) { home in
      _ = try await PhoneAuthProvider.provider(auth: home.auth).verifyPhoneNumber("555")
    },
    Provocation(.missingVerificationCode) { try await sign("x", "", $0) },
    Provocation(.missingVerificationID) { try await sign("", "123456", $0) },
    Provocation(.invalidVerificationID) { try await sign("x", "123456", $0) },
    Provocation(.invalidVerificationCode) { home in
      let provider = PhoneAuthProvider.provider(auth: home.auth)
      let id = try await provider.verifyPhoneNumber(AuthHome.number)
      let right = try home.lastMessage(to: AuthHome.number)
      try await sign(id, right == "000000" ? "111111" : "000000", home)
    },
    Provocation(.sessionExpired, on: Backend.production) { home in
      let credential = try await home.phone()
      home.pass(seconds: 24 * 3600)
      try await home.auth.signIn(with: credential)
    },
    Provocation(.quotaExceeded, on: Backend.production) { home in
      home.messages.fail(with: AuthError(.quotaExceeded, "The carrier takes no more messages."))
      _ = try await home.phone()
    },
    Provocation(
      .missingAppCredential, on: Backend.production,
      configure: { $0.service = { options, _ in options.appVerifier = NoApp() } },
      { home in _ = try await home.phone() }),
  ]

  /// A verifier that accepts no app.
  private struct NoApp: AppVerifying {
    func verify(_ proof: AppProof, in scope: Scope) async throws {
      throw AuthError(.invalidCredential, "It is another app.")
    }
  }
}
