import AuthValues
public import Foundation
import IdentityToolkit

/// A sender of codes to phones, and a factory of credentials made of them.
#if canImport(ObjectiveC)
  @objc(FIRPhoneAuthProvider)
#endif
public final class PhoneAuthProvider: NSObject, Sendable {
  /// The provider ID: `phone`.
  public static let id = "phone"

  private let auth: Auth

  private init(_ auth: Auth) {
    self.auth = auth
  }

  /// Returns the provider of ``Auth/auth()``.
  public static func provider() -> PhoneAuthProvider { provider(auth: .auth()) }

  /// Returns the provider of an instance.
  public static func provider(auth: Auth) -> PhoneAuthProvider { PhoneAuthProvider(auth) }

  /// Sends a code to a number and returns the verification ID of the code.
  ///
  /// With a session of ``MultiFactor/session()`` the number becomes a second factor. Throws `missingPhoneNumber`,
  /// `invalidPhoneNumber`, `operationNotAllowed` or `tooManyRequests`.
  ///
  /// The number is in E.164 form, such as `+15555550100`. The delegate is ignored.
  public func verifyPhoneNumber(
    _ phoneNumber: String, uiDelegate: (any AuthUIDelegate)? = nil,
    multiFactorSession: MultiFactorSession? = nil
  ) async throws -> String {
    guard !phoneNumber.isEmpty else { throw NSError.auth(.missingPhoneNumber) }
    let number = JSONValue.string(phoneNumber)
    guard let multiFactorSession else {
      return try await sessionInfo(.sendVerificationCode, ["phoneNumber": number], in: nil)
    }
    return try await multiFactorSession.enrollingUser().withToken {
      try await sessionInfo(
        .startEnrollment,
        ["idToken": .string($0), "phoneEnrollmentInfo": ["phoneNumber": number]],
        in: "phoneSessionInfo")
    }
  }

  /// Sends a code to a phone that is a second factor, and returns the verification ID of the code.
  ///
  /// The info is one of ``MultiFactorResolver/hints``, and the session is ``MultiFactorResolver/session``. The
  /// delegate is ignored.
  public func verifyPhoneNumber(
    with multiFactorInfo: PhoneMultiFactorInfo, uiDelegate: (any AuthUIDelegate)? = nil,
    multiFactorSession: MultiFactorSession?
  ) async throws -> String {
    guard let multiFactorSession else { throw NSError.auth(.missingMultiFactorSession) }
    return try await sessionInfo(
      .startFactor,
      [
        "mfaPendingCredential": .string(try multiFactorSession.pendingCredential()),
        "mfaEnrollmentId": .string(multiFactorInfo.uid),
        "phoneSignInInfo": ["phoneNumber": .string(multiFactorInfo.phoneNumber)],
      ], in: "phoneResponseInfo")
  }

  /// Makes a credential of an entered code.
  public func credential(
    withVerificationID verificationID: String, verificationCode: String
  ) -> PhoneAuthCredential {
    PhoneAuthCredential(verificationID: verificationID, verificationCode: verificationCode)
  }

  private func sessionInfo(
    _ operation: Operation, _ members: [String: JSONValue], in object: String?
  ) async throws -> String {
    var fields = try await auth.toolkit.call(operation, members)
    if let object, let inner = try? fields.object(object) { fields = inner }
    guard let session = fields.string("sessionInfo") else {
      throw NSError.answer(without: "sessionInfo")
    }
    return session
  }
}

// MARK: - Completions

extension PhoneAuthProvider {
  /// Runs ``verifyPhoneNumber(_:uiDelegate:multiFactorSession:)`` and calls back on the main queue.
  public func verifyPhoneNumber(
    _ phoneNumber: String, uiDelegate: (any AuthUIDelegate)? = nil,
    multiFactorSession: MultiFactorSession? = nil,
    completion: ((String?, (any Error)?) -> Void)? = nil
  ) {
    complete(completion) {
      try await self.verifyPhoneNumber(phoneNumber, multiFactorSession: multiFactorSession)
    }
  }

  /// Runs ``verifyPhoneNumber(with:uiDelegate:multiFactorSession:)`` and calls back on the main queue.
  public func verifyPhoneNumber(
    with multiFactorInfo: PhoneMultiFactorInfo, uiDelegate: (any AuthUIDelegate)? = nil,
    multiFactorSession: MultiFactorSession?, completion: ((String?, (any Error)?) -> Void)? = nil
  ) {
    complete(completion) {
      try await self.verifyPhoneNumber(
        with: multiFactorInfo, multiFactorSession: multiFactorSession)
    }
  }
}
