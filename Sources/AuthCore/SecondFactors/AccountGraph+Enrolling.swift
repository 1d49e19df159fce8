/// An unfinished enrolment of a second factor; a plain value that survives a restart.
public struct SecondFactorEnrollment: Sendable, Hashable, Codable {
  /// The ID of the enrolment, which the client sends back with the first code.
  public let session: String
  /// The ID of the code that was sent to a phone; nil for an authenticator app.
  public let verificationID: String?
  /// The time until which the enrolment can be finished.
  public let expiresAt: Timestamp
}

/// The data that an authenticator app needs, shown once.
public struct TOTPEnrollment: Sendable {
  /// The enrolment to finish.
  public let enrollment: SecondFactorEnrollment
  /// The shared secret in base32.
  public let secret: Secret<String>
  /// The account's name in the app: its address, or else its uid.
  public let accountName: String
}

/// The result of an enrolment.
public struct EnrollmentResult: Sendable {
  /// The new factor.
  public let factor: SecondFactorInfo
  /// The account as it is now.
  public let account: Account
  /// The receipt of the enrolment.
  public let receipt: Receipt
  /// The code that removes the factor again, to be sent to the account's address.
  public let revert: ActionCode?
  /// The continued session, like ``AccountUpdateResult/session``.
  public let session: Result<SessionGrant, AuthError>?
}

/// The result of removing a second factor.
public struct WithdrawalResult: Sendable {
  /// The account as it is now.
  public let account: Account
  /// The receipt of the removal.
  public let receipt: Receipt
  /// The continued session, like ``AccountUpdateResult/session``.
  public let session: Result<SessionGrant, AuthError>?
}

extension AccountGraph {
  /// The maximum number of second factors of an account; Firebase's number.
  public static let maximumSecondFactors = 5
  /// The lifetime of an enrolment, in seconds.
  static let enrollmentLifetime: Int64 = 900

  /// Begins to enrol an authenticator app, with a new secret.
  ///
  /// Throws `requires-recent-login`, `second-factor-required`, `unverified-email`, `unsupported-first-factor` or
  /// `maximum-second-factor-count-exceeded`.
  public func beginTOTPEnrollment(
    for account: AccountID, by caller: Caller
  ) async throws -> TOTPEnrollment {
    try caller.cannotRehearse("Enrolling")
    let secret = services.totp.newSecret()
    let open = OpenEnrollment(
      account: account, factorID: newFactorID(), secret: secret.reveal())
    let (session, expiresAt, holder) = try await begin(open, nil, by: caller)
    return TOTPEnrollment(
      enrollment: SecondFactorEnrollment(
        session: session, verificationID: nil, expiresAt: expiresAt),
      secret: secret, accountName: holder.email?.text ?? holder.id.rawValue)
  }

  /// Begins to enrol a phone, and sends it a code.
  ///
  /// Throws like ``beginTOTPEnrollment(for:by:)``, `second-factor-already-in-use`, `too-many-requests`, or an error of
  /// the sender.
  public func beginPhoneEnrollment(
    of number: PhoneNumber, for account: AccountID, requestedFrom: String? = nil,
    by caller: Caller
  ) async throws -> SecondFactorEnrollment {
    try caller.cannotRehearse("Enrolling a phone")
    let context = try await context(for: .phone, in: caller.scope)
    try await phone?.checkRecipient(number.text, context)
    let isTestNumber = try await phone?.fixedCode(for: number.text, context) != nil
    let open = OpenEnrollment(account: account, factorID: newFactorID(), phoneNumber: number)
    let (session, expiresAt, holder) = try await begin(open, number, by: caller)
    if !isTestNumber { try await countEnrollment(of: holder.id, in: caller.scope) }
    let issued = try await send(
      OpenEnrollment.purpose(session), for: number.text, to: number, of: holder.id,
      intent: "enroll", requestedFrom, by: caller)
    return SecondFactorEnrollment(
      session: session, verificationID: issued.id, expiresAt: expiresAt)
  }

  /// Counts a phone that an account begins to enrol, or throws `too-many-requests`.
  private func countEnrollment(of account: AccountID, in scope: Scope) async throws {
    guard let limit = services.quirks.limit(services.codeLimits().secondFactorCodes) else { return }
    let now = clock()
    try await store.write { writer in
      try writer.countAttempt(
        "attempts:enroll:\(account)", limit: limit, seconds: 3600, at: now, in: scope)
    }
  }

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

  /// Removes a second factor, and ends every session of the account.
  ///
  /// Throws `multi-factor-info-not-found`, `requires-recent-login` or `second-factor-required`.
  public func unenroll(
    _ factorID: String, of account: AccountID, by caller: Caller
  ) async throws -> Receipt {
    try await withdraw(factorID, of: account, by: caller).receipt
  }

  /// Removes a second factor like ``unenroll(_:of:by:)``, and continues a session.
  public func withdraw(
    _ factorID: String, of account: AccountID, continuing session: SessionContinuation? = nil,
    by caller: Caller
  ) async throws -> WithdrawalResult {
    let (receipt, verdict) = try await changeFactors(
      .unenroll, of: account, continuing: session, by: caller
    ) { account, _, _ in
      guard account.secondFactors.contains(where: { $0.id == factorID }) else {
        throw AuthError.multiFactorInfoNotFound
      }
      account.secondFactors.removeAll { $0.id == factorID }
    }
    guard let account = verdict.written else { throw AuthError.userNotFound }
    return WithdrawalResult(account: account, receipt: receipt, session: verdict.session)
  }

  /// Removes all second factors of an account whose owner lost them, on an admin's word.
  ///
  /// Throws `invalid-argument` if the admin gives no reason, `operation-not-allowed` unless the caller is an admin, and
  /// `multi-factor-info-not-found` if the account has none.
  public func recover(_ account: AccountID, by caller: Caller) async throws -> Receipt {
    guard caller.isAdmin else { throw AuthError.onlyAdmins("do this") }
    guard let reason = caller.reason, !reason.allSatisfy(\.isWhitespace) else {
      throw AuthError(
        .invalidArgument, "Removing second factors needs a reason.", field: "reason",
        remedy: "Name the proof of identity: { reason = \"lost both, seen in person\" }.")
    }
    return try await changeFactors(.unenroll, of: account, by: caller) { account, _, _ in
      guard !account.secondFactors.isEmpty else {
        throw AuthError(
          .multiFactorInfoNotFound, "The account has no second factors.",
          remedy: "Check the uid.", step: .decision)
      }
      account.secondFactors = []
    }.receipt
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

  func newFactorID() -> String {
    RandomText.text(28, alphabet: RandomText.base62, random)
  }

  /// Checks that the account may have one more factor, and stores the enrolment.
  private func begin(
    _ open: OpenEnrollment, _ number: PhoneNumber?, by caller: Caller
  ) async throws -> (session: String, expiresAt: Timestamp, account: Account) {
    let session = RandomText.handle(random)
    let expiresAt = clock().adding(seconds: Self.enrollmentLifetime)
    let json = try JSONText.encode(open)
    let probe = try await keyProbe(in: caller.scope)
    let sealed = try services.quietSecrets.seal(json, for: OpenEnrollment.purpose(session))
    let (_, verdict) = try await perform(
      caller, load: SnapshotQuery([.uid(open.account)], in: caller.scope),
      decide: { snapshot, moment in
        var verdict = Verdict(action: .beginEnrollment, accountID: open.account)
        verdict.details["kind"] = number == nil ? "totp" : "phone"
        var rules = self.rules(by: caller, at: moment.now, on: snapshot)
        switch rules.editable(open.account) {
        case .failure(let error): verdict.error = error
        case .success(let account):
          verdict.account = account
          do throws(AuthError) {
            try snapshot.settings.signIn.multiFactor.check(number.map { .phone($0) } ?? .totp)
            verdict.error = refusal(number, account, caller)
          } catch {
            verdict.error = error
          }
          if snapshot.settings.keyProbe == nil {
            verdict.changes.settings = snapshot.settings
            verdict.changes.settings?.keyProbe = probe
          }
          verdict.changes.opened = [
            OneTimeRecord(
              id: session, kind: .enrollment, account: account.id, expiresAt: expiresAt,
              content: sealed)
          ]
        }
        verdict.trace = rules.trace
        return verdict
      })
    guard let account = verdict.account else { throw AuthError.userNotFound }
    return (session, expiresAt, account)
  }

  /// Returns the refusal of another factor for an account; nil if it may have one.
  private func refusal(
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

  /// Changes an account's second factors, as a sensitive change of its own session.
  private func changeFactors(
    _ action: Action, of id: AccountID, using uses: [OneTimeUse] = [],
    continuing session: SessionContinuation? = nil, by caller: Caller,
    _ change: @escaping @Sendable (inout Account, Moment, inout Verdict) throws -> Void
  ) async throws -> (receipt: Receipt, verdict: Verdict) {
    try await perform(
      caller, load: SnapshotQuery([.uid(id)], uses: uses, in: caller.scope),
      decide: { snapshot, moment in
        var verdict = Verdict(action: action, accountID: id)
        var rules = self.rules(by: caller, at: moment.now, on: snapshot)
        let right = rules.editable(id)
        verdict.trace = rules.trace
        guard snapshot.used.isEmpty else {
          verdict.error = .enrollmentOver
          return verdict
        }
        do {
          let old = try right.get()
          verdict.accountID = old.id
          var new = old
          try change(&new, moment, &verdict)
          // A phone number cannot sign in beside a second factor.
          let refusal = rules.refuseLosingWaysIn(from: old, to: new, isForced: caller.isAdmin)
          verdict.trace = rules.trace
          if let refusal { throw refusal }
          services.quirks.ending { new.cutSessions(at: moment.now) }
          verdict.account = new
          verdict.allow = session?.allow(for: caller, snapshot.settings, services.quirks)
          let before = Set(old.secondFactors.map(\.id))
          let after = Set(new.secondFactors.map(\.id))
          verdict.details["factors"] = .array(
            before.symmetricDifference(after).sorted().map(JSONValue.string))
          verdict.changes.update(old, to: new)
          verdict.changes.uses = uses
          // After an admin's change the account's owner may try again at once.
          if caller.isAdmin { verdict.changes.closed = [Self.attempts(of: old.id)] }
        } catch let error as AuthError {
          verdict.error = error
        }
        return verdict
      })
  }
}
