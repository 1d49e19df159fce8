import AuthCore
import IdentityToolkit

extension MultiFactorHandler {
  /// `mfaSignIn:start`: sends a code to the phone that is a second factor.
  func startSecondFactor() async throws -> Answer {
    try await behavior.checkSignIn(with: .phone, self)
    guard let text = try body.filled("mfaPendingCredential") else {
      throw WireError(
        "MISSING_MFA_PENDING_CREDENTIAL", "Request does not have MFA pending credential.")
    }
    guard let id = try body.filled("mfaEnrollmentId") else {
      throw WireError("MISSING_MFA_ENROLLMENT_ID", "No second factor identifier is provided.")
    }
    let pending = try behavior.pendingCredential(text, call)
    // A number in the request is ignored: clients send the obfuscated one.
    let challenge = try await graph.challenge(
      id, of: pending.resolver, requestedFrom: client.address, by: pending.caller(call),
      admitting: { try call.takeMessage() })
    guard let sessionInfo = challenge.verificationID else {
      throw WireError("INVALID_ARGUMENT", "MFA provider not supported!")
    }
    return .json(["phoneResponseInfo": ["sessionInfo": .string(sessionInfo)]])
  }

  /// `mfaSignIn:finalize`: completes a sign-in that waits for its second factor.
  func finalizeSecondFactor() async throws -> Answer {
    let kind = try behavior.factorKind(
      in: body, phone: "phoneVerificationInfo", totp: "totpVerificationInfo")
    try await behavior.checkSignIn(with: kind, self)
    guard let text = try body.filled("mfaPendingCredential") else {
      throw WireError("MISSING_CREDENTIAL", "Please set MFA Pending Credential.")
    }
    let assertion = try assertion(kind)
    let pending = try behavior.pendingCredential(text, call)
    do {
      let result = try await graph.resolve(
        pending.resolver, with: assertion, by: pending.caller(call))
      guard let session = result.session else { throw WireError.internalError }
      await letters.sendTakeBacks(of: result.receipt, result.account)
      var answer = try await call.tokens(
        for: session, result.account, mergedFrom: result.mergedFrom)
      answer["expiresIn"] = nil
      answer.merge(behavior.described(kind)) { $1 }
      return .json(.object(answer))
    } catch let error as AuthError {
      throw codeError(error)
    }
  }

  private func assertion(_ kind: FactorKind) throws -> SecondFactorAssertion {
    guard kind == .totp else {
      guard let fields = try body.object("phoneVerificationInfo") else {
        throw WireError("INVALID_ARGUMENT", "MFA provider not supported!")
      }
      let shown = try phoneVerification(fields)
      return .phone(verificationID: shown.session, code: shown.code)
    }
    let fields = try factorFields("totpVerificationInfo")
    guard let id = try body.filled("mfaEnrollmentId") else {
      throw WireError("MISSING_MFA_ENROLLMENT_ID", "No second factor identifier is provided.")
    }
    guard let code = try fields.filled("verificationCode") else { throw WireError("MISSING_CODE") }
    return .totp(factorID: id, code: Secret(code))
  }
}

extension SecondFactorInfo {
  /// The hint as a client sees it after the first factor alone.
  var hint: JSONValue {
    var hint: [String: JSONValue] = ["mfaEnrollmentId": .string(id)]
    if let displayName { hint["displayName"] = .string(displayName) }
    if let enrolledAt { hint["enrolledAt"] = .string(EnrollmentTime.wireText(enrolledAt)) }
    if let phoneNumber { hint["phoneInfo"] = .string(phoneNumber) }
    if factorID == "totp" { hint["totpInfo"] = [:] }
    return .object(hint)
  }
}
