import AuthClient
import AuthCore
import AuthTesting
import BuiltInProviders
import Foundation
import Testing

/// Second factors, as somebody shows them.
extension AuthHome {
  /// What a first factor alone gives.
  func resolver<Value>(
    sourceLocation: SourceLocation = #_sourceLocation, _ work: () async throws -> Value
  ) async throws -> AuthClient.MultiFactorResolver {
    let error = try await expectError(
      .secondFactorRequired, sourceLocation: sourceLocation, work)
    return try #require(error.resolver, sourceLocation: sourceLocation)
  }

  /// The code that went to the phone of a hint.
  func assertion(
    _ resolver: AuthClient.MultiFactorResolver, _ hint: AuthClient.MultiFactorInfo,
    number: String = number
  ) async throws -> PhoneMultiFactorAssertion {
    let provider = PhoneAuthProvider.provider(auth: resolver.auth)
    let id = try await provider.verifyPhoneNumber(
      with: try #require(hint as? PhoneMultiFactorInfo), multiFactorSession: resolver.session)
    return PhoneMultiFactorGenerator.assertion(
      with: provider.credential(
        withVerificationID: id, verificationCode: try lastMessage(to: number)))
  }

  /// What an authenticator app shows now.
  func code(_ secret: TOTPSecret) throws -> String {
    try #require(HMACTOTP().code(for: Secret(secret.sharedSecretKey()), at: clock.now))
  }
}
