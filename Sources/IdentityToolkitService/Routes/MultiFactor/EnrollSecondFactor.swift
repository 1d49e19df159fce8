import AuthCore
import IdentityToolkit
import SessionTokens

extension MultiFactorHandler {
  /// `mfaEnrollment:start`: sends a code to a phone, or makes the secret of an authenticator app.
  func startEnrollment() async throws -> Answer {
    let kind = try behavior.factorKind(
      in: body, phone: "phoneEnrollmentInfo", totp: "totpEnrollmentInfo")
    try await requireFactors(kind)
    let signedIn = try await signedInToEnroll()
    // Otherwise a person could lock another person's address behind a second factor.
    guard signedIn.account.emailVerified else {
      throw WireError(
        "UNVERIFIED_EMAIL", "Need to verify email first before enrolling second factors.")
    }
    return switch kind {
    case .phone: try await startPhone(signedIn)
    case .totp: try await startAuthenticator(signedIn)
    }
  }

  private func startPhone(_ signedIn: SignedIn) async throws -> Answer {
    let fields = try factorFields("phoneEnrollmentInfo")
    let number = try MessageHandler(call).phoneNumber(
      in: fields, missing: "MISSING_PHONE_NUMBER")
    try await call.takeMessage(to: number)
    try await AppVerification(call: call).require(fields, for: number)
    let enrollment = try await graph.beginPhoneEnrollment(
      of: number, for: signedIn.account.id, requestedFrom: client.address, by: signedIn.caller)
    return .json(["phoneSessionInfo": ["sessionInfo": .string(SessionInfo(enrollment).text)]])
  }

  private func startAuthenticator(_ signedIn: SignedIn) async throws -> Answer {
    let begun = try await graph.beginTOTPEnrollment(
      for: signedIn.account.id, by: signedIn.caller)
    return .json([
      "totpSessionInfo": [
        "sharedSecretKey": .string(begun.secret.reveal()),
        "verificationCodeLength": .integer(Int64(TOTPParameters.digits)),
        "hashingAlgorithm": .string(TOTPParameters.algorithm),
        "periodSec": .integer(TOTPParameters.period),
        "sessionInfo": .string(SessionInfo(begun.enrollment).text),
        "finalizeEnrollmentTime": .string(begun.enrollment.expiresAt.wireText),
      ]
    ])
  }

  /// `mfaEnrollment:finalize`: enrols a factor, given its first code.
  func finalizeEnrollment() async throws -> Answer {
    let kind = try behavior.factorKind(
      in: body, phone: "phoneVerificationInfo", totp: "totpVerificationInfo")
    try await requireFactors(kind)
    let signedIn = try await signedInToEnroll()
    let (session, code) =
      switch kind {
      case .phone: try phoneVerification(try factorFields("phoneVerificationInfo"))
      case .totp: try totpVerification(try factorFields("totpVerificationInfo"))
      }
    guard let info = SessionInfo(enrollment: session), let name = info.session,
      (info.verificationID != nil) == (kind == .phone)
    else { throw WireError("INVALID_SESSION_INFO") }
    let enrollment = SecondFactorEnrollment(
      resuming: name, verificationID: info.verificationID,
      expiresAt: SecondFactorEnrollment.latestEnd(at: services.clock()))
    do {
      let result = try await graph.enroll(
        enrollment, code: code, displayName: try body.filled("displayName"),
        continuing: continuation(of: signedIn, showing: nil), by: signedIn.caller)
      await letters.sendRecovery(result.revert, of: result.account)
      guard let next = try result.session?.get() else { throw WireError.internalError }
      var answer = try await call.tokens(for: next, result.account)
      answer["expiresIn"] = nil
      answer.merge(behavior.described(kind)) { first, _ in first }
      return .json(.object(answer))
    } catch let error as AuthError where error.code == .invalidMultiFactorSession {
      throw behavior.endedFactorSession
    } catch let error as AuthError {
      throw codeError(error)
    }
  }

  private func totpVerification(
    _ fields: WireFields
  ) throws -> (session: String, code: Secret<String>) {
    guard let code = try fields.filled("verificationCode") else { throw WireError("MISSING_CODE") }
    guard let session = try fields.filled("sessionInfo") else {
      throw WireError("MISSING_SESSION_INFO")
    }
    return (session, Secret(code))
  }

  /// `mfaEnrollment:withdraw`: removes a second factor.
  func withdrawEnrollment() async throws -> Answer {
    let signedIn = try await call.signedIn()
    guard let id = try body.filled("mfaEnrollmentId"),
      signedIn.account.secondFactors.contains(where: { $0.id == id })
    else { throw WireError("MFA_ENROLLMENT_NOT_FOUND") }
    let shown = behavior.factorLeft(to: signedIn.token)
    let result = try await graph.withdraw(
      id, of: signedIn.account.id, continuing: continuation(of: signedIn, showing: shown),
      by: signedIn.caller)
    behavior.noteWithdrawal(by: result.account)
    switch result.session {
    case .success(let next): return .json(.object(try await call.tokens(for: next, result.account)))
    // The factor is removed. The answer has no session, because no remaining factor was shown.
    case .failure(let error) where error.code == .secondFactorRequired: return .json([:])
    case .failure(let error): throw error
    case nil: throw WireError.internalError
    }
  }

  /// Returns the account of the ID token if its first factor allows a second one.
  private func signedInToEnroll() async throws -> SignedIn {
    let signedIn = try await call.signedIn()
    guard !Self.loneFactors.contains(signedIn.token.provider.rawValue) else {
      throw WireError(
        "UNSUPPORTED_FIRST_FACTOR", "MFA is not available for the given first factor.")
    }
    return signedIn
  }

  /// First factors that do not allow a second one.
  private static let loneFactors: Set<String> = ["anonymous", "phone", "custom", "gc.apple.com"]

  /// Returns the session with which a client continues after a change of its second factors.
  private func continuation(
    of signedIn: SignedIn, showing factor: SessionGrant.Factor?
  ) -> SessionContinuation {
    let wayIn = SessionContinuation.WayIn(signedIn.token.provider, signedIn.identity)
    return SessionContinuation(
      showing: factor, claims: signedIn.token.sessionClaims(beside: signedIn.account)
    ) { _ in wayIn }
  }
}
