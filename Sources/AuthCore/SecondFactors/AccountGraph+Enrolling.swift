/// The end of an enrolment, with the first code.
extension AccountGraph {
  /// Finishes an enrolment with the first code, and ends every session of the account.
  ///
  /// Throws `invalid-verification-code`, `code-expired`, `invalid-multi-factor-session`, `too-many-requests`, or the
  /// errors of its beginning.
  public func finishEnrollment(
    _ enrollment: SecondFactorEnrollment, code: Secret<String>, displayName: String? = nil,
    by caller: Caller
  ) async throws -> (factor: SecondFactorInfo, receipt: Receipt) {
    let result = try await enroll(
      enrollment, code: code, displayName: displayName, revertibly: false, continuing: nil,
      by: caller)
    return (result.factor, result.receipt)
  }

  /// Finishes an enrolment like ``finishEnrollment(_:code:displayName:by:)``, and continues a session.
  ///
  /// The result has a code with which the account's address can remove the factor, because a stranger may have enrolled
  /// it. The continued session counts as having shown the new factor.
  public func enroll(
    _ enrollment: SecondFactorEnrollment, code: Secret<String>, displayName: String? = nil,
    continuing session: SessionContinuation? = nil, by caller: Caller
  ) async throws -> EnrollmentResult {
    try await enroll(
      enrollment, code: code, displayName: displayName, revertibly: true, continuing: session,
      by: caller)
  }

  private func enroll(
    _ enrollment: SecondFactorEnrollment, code: Secret<String>, displayName: String?,
    revertibly: Bool, continuing session: SessionContinuation?, by caller: Caller
  ) async throws -> EnrollmentResult {
    try caller.cannotRehearse("Enrolling")
    try Self.check(displayName)
    try await requireHeld(by: caller)
    let open = try await openEnrollment(enrollment.session, by: caller)
    let (kind, secret) = try await audited(
      .enroll, of: open.account, showing: .secondFactor, by: caller
    ) {
      try await checkFirstCode(code, of: open, enrollment, in: caller.scope)
    }
    let factor = SecondFactor(
      id: open.factorID, kind: kind, displayName: displayName, enrolledAt: clock().text,
      secret: secret.map { StoredSecret(encoded: $0, changedAt: clock()) })
    let used = OneTimeUse("enrollment:\(enrollment.session)", expiresAt: enrollment.expiresAt)
    var session = session
    session?.factor = SessionGrant.Factor(kind: factor.factorID, id: factor.id)
    let isSent = services.quirks.sendsReverts(revertibly)
    let (receipt, verdict) = try await changeFactors(
      .enroll, of: open.account, using: [used], continuing: session, by: caller
    ) { account, moment, verdict in
      if let refusal = refusal(open.phoneNumber, account, caller) { throw refusal }
      account.secondFactors.append(factor)
      guard isSent, account.emailVerified, let email = account.email else { return }
      let (issued, record) = try actionCodes(in: caller.scope).make(
        ActionCode.Info(
          operation: .revertSecondFactorAddition, email: email, factor: SecondFactorInfo(factor)),
        of: account, at: moment.now)
      verdict.changes.opened = [record]
      verdict.recovery = issued
    }
    guard let account = verdict.written else { throw AuthError.userNotFound }
    return EnrollmentResult(
      factor: SecondFactorInfo(factor), account: account, receipt: receipt,
      revert: verdict.recovery, session: verdict.session)
  }

  static func check(_ displayName: String?) throws(AuthError) {
    guard let name = displayName else { return }
    guard TextBounds.name.allow(name),
      name.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F })
    else {
      throw AuthError(
        .invalidDisplayName,
        "A display name has at most \(TextBounds.name), all of them printable.",
        field: "displayName", remedy: "Choose a shorter one.")
    }
  }

  /// Returns the refusal of another factor for an account; nil if it may have one.
  func refusal(
    _ number: PhoneNumber?, _ account: Account, _ caller: Caller
  ) -> AuthError? {
    if account.secondFactors.count >= Self.maximumSecondFactors {
      return AuthError(
        .maximumSecondFactorCountExceeded,
        "An account has at most \(Self.maximumSecondFactors) second factors.",
        remedy: "Remove one first with account.multiFactor:unenroll(1).", step: .decision)
    }
    if let number, account.secondFactors.contains(where: { $0.kind == .phone(number) }) {
      return AuthError(
        .secondFactorAlreadyInUse, "The number is a second factor of this account already.",
        field: "phoneNumber", remedy: "Use another number.", step: .decision)
    }
    let isKeptByPhoneAlone = account.identities.allSatisfy { $0.provider == .phone }
    if account.isAnonymous || (isKeptByPhoneAlone && !account.identities.isEmpty) {
      return AuthError(
        .unsupportedFirstFactor, "This way of signing in cannot have a second factor.",
        remedy: "Link an e-mail address or another provider first.", step: .decision)
    }
    // Otherwise a stranger's address could be locked behind one's own phone.
    guard account.email != nil, !account.emailVerified else { return nil }
    return services.quirks.refusal(ofFactorBy: caller)
  }
}
