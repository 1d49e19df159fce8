import AuthValues
public import Foundation
import IdentityToolkit

/// The proof of a second factor.
#if canImport(ObjectiveC)
  @objc(FIRMultiFactorAssertion)
#endif
public class MultiFactorAssertion: NSObject, CustomReflectable, @unchecked Sendable {
  // Unchecked because a class with subclasses cannot be checked. All stored properties are constants.
  /// The kind of factor: `phone` or `totp`.
  public let factorID: String
  fileprivate let proof: Proof

  fileprivate enum Proof: Sendable {
    case phone(PhoneAuthCredential)
    case totpEnrollment(sessionInfo: String, code: String)
    case totpSignIn(enrollmentID: String, code: String)
  }

  fileprivate init(_ factorID: String, _ proof: Proof) {
    self.factorID = factorID
    self.proof = proof
  }

  /// Shows the kind alone.
  public var customMirror: Mirror { Mirror(self, children: ["factorID": factorID]) }

  /// Returns the members of a request that enrols the factor.
  func enrollment() throws -> [String: JSONValue] {
    switch proof {
    case .phone(let credential):
      ["phoneVerificationInfo": try Self.verification(credential)]
    case .totpEnrollment(let session, let code):
      [
        "totpVerificationInfo": [
          "sessionInfo": .string(session), "verificationCode": .string(code),
        ]
      ]
    case .totpSignIn:
      throw NSError.auth(
        .invalidMultiFactorSession,
        message: "The assertion is one for signing in. Use assertionForEnrollment.")
    }
  }

  /// Returns the members of a request that completes a sign-in.
  func signIn() throws -> [String: JSONValue] {
    switch proof {
    case .phone(let credential):
      ["phoneVerificationInfo": try Self.verification(credential)]
    case .totpSignIn(let id, let code):
      [
        "mfaEnrollmentId": .string(id),
        "totpVerificationInfo": ["verificationCode": .string(code)],
      ]
    case .totpEnrollment:
      throw NSError.auth(
        .invalidMultiFactorSession,
        message: "The assertion is one for enrolling. Use assertionForSignIn.")
    }
  }

  /// Sends the proof, and says what helps after a wrong code.
  func explaining<Value>(_ send: () async throws -> Value) async throws -> Value {
    do {
      return try await send()
    } catch let error as NSError
      where AuthErrorCode(error) == .invalidVerificationCode
      && factorID == PhoneMultiFactorInfo.TOTPMultiFactorID
    {
      throw NSError.auth(
        .invalidVerificationCode,
        message: "The code is not right, or it was used already. "
          + "Wait for the next code of the authenticator app, and check the clock of its device.")
    }
  }

  private static func verification(_ credential: PhoneAuthCredential) throws -> JSONValue {
    guard case .phoneCode(let session, let code) = credential.content else {
      throw NSError.auth(
        .missingVerificationCode, message: "A second factor is shown by a code that was sent.")
    }
    return ["sessionInfo": .string(session), "code": .string(code)]
  }
}

/// The proof of a phone.
#if canImport(ObjectiveC)
  @objc(FIRPhoneMultiFactorAssertion)
#endif
public final class PhoneMultiFactorAssertion: MultiFactorAssertion, @unchecked Sendable {}

/// The proof of an authenticator app.
#if canImport(ObjectiveC)
  @objc(FIRTOTPMultiFactorAssertion)
#endif
public final class TOTPMultiFactorAssertion: MultiFactorAssertion, @unchecked Sendable {}

/// A factory for the proof of a phone.
#if canImport(ObjectiveC)
  @objc(FIRPhoneMultiFactorGenerator)
#endif
public final class PhoneMultiFactorGenerator: NSObject {
  /// Makes an assertion of an entered code.
  public static func assertion(
    with credential: PhoneAuthCredential
  ) -> PhoneMultiFactorAssertion {
    PhoneMultiFactorAssertion(PhoneMultiFactorInfo.PhoneMultiFactorID, .phone(credential))
  }
}

/// A factory for the secret and the proof of an authenticator app.
#if canImport(ObjectiveC)
  @objc(FIRTOTPMultiFactorGenerator)
#endif
public final class TOTPMultiFactorGenerator: NSObject {
  /// Requests a secret for an authenticator app.
  ///
  /// Throws `operationNotAllowed` if the project does not allow authenticator apps, or `invalidMultiFactorSession` if
  /// the session is not an enrolment's.
  public static func generateSecret(
    with session: MultiFactorSession
  ) async throws -> TOTPSecret {
    let user = try session.enrollingUser()
    let fields = try await user.withToken {
      try await user.auth.toolkit.call(
        .startEnrollment, ["idToken": .string($0), "totpEnrollmentInfo": [:]])
    }
    guard let info = try? fields.object("totpSessionInfo"), let secret = TOTPSecret(info) else {
      throw NSError.answer(without: "totpSessionInfo")
    }
    return secret
  }

  /// Makes the assertion that enrols the app, from its first code.
  public static func assertionForEnrollment(
    with secret: TOTPSecret, oneTimePassword: String
  ) -> TOTPMultiFactorAssertion {
    TOTPMultiFactorAssertion(
      PhoneMultiFactorInfo.TOTPMultiFactorID,
      .totpEnrollment(sessionInfo: secret.sessionInfo, code: oneTimePassword))
  }

  /// Makes the assertion that completes a sign-in, from the app's code.
  public static func assertionForSignIn(
    withEnrollmentID enrollmentID: String, oneTimePassword: String
  ) -> TOTPMultiFactorAssertion {
    TOTPMultiFactorAssertion(
      PhoneMultiFactorInfo.TOTPMultiFactorID,
      .totpSignIn(enrollmentID: enrollmentID, code: oneTimePassword))
  }
}

// MARK: - Completions

extension TOTPMultiFactorGenerator {
  /// Runs ``generateSecret(with:)`` and calls back on the main queue.
  public static func generateSecret(
    with session: MultiFactorSession, completion: ((TOTPSecret?, (any Error)?) -> Void)? = nil
  ) {
    complete(completion) { try await generateSecret(with: session) }
  }
}
