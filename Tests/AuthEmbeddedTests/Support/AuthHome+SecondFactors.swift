import AuthClient
import AuthCore
import AuthTesting
import BuiltInProviders
import Foundation
import Testing

/// Proofs of second factors.
extension AuthHome {
  /// Returns the resolver that a first factor alone leads to.
  func resolver<Value>(
    sourceLocation: SourceLocation = #_sourceLocation, _ work: () async throws -> Value
  ) async throws -> MultiFactorResolver {
    let error = try await expectError(
      .secondFactorRequired, sourceLocation: sourceLocation, work)
    return try #require(error.multiFactorResolver, sourceLocation: sourceLocation)
  }

  /// Requests the code for a hint's phone and returns its proof.
  func assertion(
    _ resolver: MultiFactorResolver, _ hint: MultiFactorInfo,
    number: String = number
  ) async throws -> PhoneMultiFactorAssertion {
    let provider = PhoneAuthProvider.provider(auth: resolver.auth)
    let id = try await provider.verifyPhoneNumber(
      with: try #require(hint as? PhoneMultiFactorInfo), multiFactorSession: resolver.session)
    return PhoneMultiFactorGenerator.assertion(
      with: provider.credential(
        withVerificationID: id, verificationCode: try lastMessage(to: number)))
  }

  /// Returns the current code of an authenticator app.
  func code(_ secret: TOTPSecret) throws -> String {
    try #require(HMACTOTP().code(for: Secret(secret.sharedSecretKey()), at: clock.now))
  }
}
