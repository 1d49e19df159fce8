/// The beginning of an enrolment.
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
}
