import AuthClient
import Foundation
import Testing

/// Second factors.
extension Provocation {
  /// Returns a sign-in that waits for a second factor.
  private static func waiting(_ home: AuthHome) async throws -> MultiFactorResolver {
    try await home.enrollPhone(for: try await home.verifiedAda())
    let error = try await expectError(.secondFactorRequired) { try await home.enter() }
    return try #require(error.multiFactorResolver)
  }

  static let secondFactors: [Provocation] = [
    Provocation(.secondFactorRequired, keys: [AuthErrors.userInfoMultiFactorResolverKey]) { home in
      try await home.enrollPhone(for: try await home.verifiedAda())
      try await home.enter()
    },
    Provocation(.missingMultiFactorSession) { home in
      let hint = try #require(try await waiting(home).hints.first as? PhoneMultiFactorInfo)
      _ = try await PhoneAuthProvider.provider(auth: home.auth)
        .verifyPhoneNumber(with: hint, multiFactorSession: nil)
    },
    Provocation(.missingMultiFactorInfo, on: Backend.production) { home in
      _ = try await waiting(home).resolveSignIn(
        with: TOTPMultiFactorGenerator.assertionForSignIn(
          withEnrollmentID: "", oneTimePassword: "123456"))
    },
    Provocation(.invalidMultiFactorSession) { home in
      let session = try await waiting(home).session
      _ = try await TOTPMultiFactorGenerator.generateSecret(with: session)
    },
    Provocation(.multiFactorInfoNotFound) { home in
      try await home.verifiedAda().multiFactor.unenroll(withFactorUID: "none")
    },
    Provocation(.unverifiedEmail) { try await $0.enrollPhone(for: try await $0.ada()) },
    Provocation(.secondFactorAlreadyEnrolled) { home in
      let ada = try await home.verifiedAda()
      try await home.enrollPhone(for: ada)
      try await home.enrollPhone(for: ada)
    },
    Provocation(.maximumSecondFactorCountExceeded, on: Backend.production) { home in
      let ada = try await home.verifiedAda()
      for last in 0..<6 { try await home.enrollPhone("+1555555010\(last)", for: ada) }
    },
    Provocation(.unsupportedFirstFactor) { home in
      try await home.enrollPhone(for: try await home.auth.signInAnonymously().user)
    },
  ]
}
