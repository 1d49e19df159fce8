/// A request to show a second factor.
public struct SecondFactorChallenge: Sendable, Hashable {
  /// The factor to show.
  public let factor: SecondFactorInfo
  /// The ID of the code that was sent, which the client sends back with it; nil if none is sent.
  public let verificationID: String?
}

extension AccountGraph {
  /// The lifetime of a second factor's code, in seconds.
  static let codeLifetime: Int64 = 300

  /// Requests one of a resolver's second factors, and sends its code if it has one to send.
  ///
  /// `admit` is called before a message is sent, and may refuse it. A test number gets no message.
  ///
  /// Throws `invalid-multi-factor-session`, `multi-factor-info-not-found`, `too-many-requests`,
  /// `operation-not-allowed` if no messages go to the number's region, or an error of `admit` or of the sender.
  public func challenge(
    _ factorID: String, of resolver: SecondFactorResolver, requestedFrom: String? = nil,
    by caller: Caller, admitting admit: () async throws -> Void = {}
  ) async throws -> SecondFactorChallenge {
    try caller.cannotRehearse("A challenge")
    let operation = try await openPending(resolver.session, by: caller)
    let factor = try await factor(factorID, of: operation.account, in: caller.scope)
    guard case .phone(let number) = factor.kind else {
      return SecondFactorChallenge(factor: SecondFactorInfo(factor), verificationID: nil)
    }
    let issued = try await send(
      Self.purpose(resolver.session), for: factor.id, to: number, of: operation.account,
      intent: "sign-in", requestedFrom, by: caller, admitting: admit)
    return SecondFactorChallenge(factor: SecondFactorInfo(factor), verificationID: issued.id)
  }

  /// Checks a second factor, and completes the pending operation.
  ///
  /// Throws `invalid-verification-code`, `code-expired`, `invalid-multi-factor-session`, `multi-factor-info-not-found`,
  /// `too-many-requests`, or an error of the operation itself.
  public func resolve(
    _ resolver: SecondFactorResolver, with assertion: SecondFactorAssertion, by caller: Caller
  ) async throws -> SignInResult {
    try caller.cannotRehearse("Showing a second factor")
    let operation = try await openPending(resolver.session, by: caller)
    let proof = try await audited(
      .challenge, of: operation.account, showing: .secondFactor, by: caller
    ) {
      try await check(assertion, of: operation.account, resolver.session, in: caller.scope)
    }
    var original = caller
    original.authority = operation.authority
    original.mark = operation.shownMark
    original.reason = caller.reason ?? operation.reason
    let (receipt, verdict) = try await performLink(
      operation.request, shown: proof,
      giving: CredentialSession(.secondFactor, showing: proof.factor), by: original
    ).get()
    return try result(verdict, receipt)
  }

  /// Returns a pending operation; throws if the provider of its credential was closed meanwhile.
  ///
  /// Then no code is sent or used up in vain.
  private func openPending(_ session: String, by caller: Caller) async throws -> PendingOperation {
    try await requireHeld(by: caller)
    let operation = try await pending(session, by: caller)
    var original = caller
    original.authority = operation.authority
    if let provider = operation.request.identity?.provider {
      try await allowed(provider, by: original)
    }
    return operation
  }

  /// Returns the name under which the wrong codes of an account are counted.
  static func attempts(of account: AccountID) -> String { "attempts:second-factor:\(account)" }

  static func purpose(_ session: String) -> String { "second-factor \(session)" }

  func factor(
    _ id: String, of account: AccountID, in scope: Scope
  ) async throws -> SecondFactor {
    let factors = try await self.account(account, in: scope)?.secondFactors ?? []
    guard let factor = factors.first(where: { $0.id == id }) else {
      throw AuthError.multiFactorInfoNotFound
    }
    return factor
  }

  /// Checks a second factor; its code is used up on return.
  private func check(
    _ assertion: SecondFactorAssertion, of account: AccountID, _ session: String, in scope: Scope
  ) async throws -> SecondFactorProof {
    let now = clock()
    let attempts = Self.attempts(of: account)
    if let limit = services.quirks.limit(services.codeLimits().secondFactorCodes) {
      try await store.write { writer in
        try writer.countAttempt(attempts, limit: limit, seconds: 3600, at: now, in: scope)
      }
    }
    let factor: SecondFactor
    switch assertion {
    case .phone(let verificationID, let code):
      let checked = try await codes(in: scope).check(
        Self.purpose(session), id: verificationID, code: code.reveal())
      factor = try await self.factor(checked.subject, of: account, in: scope)
      try await use(checked.use, in: scope)
    case .totp(let factorID, let code):
      factor = try await self.factor(factorID, of: account, in: scope)
      try await checkTOTP(code, of: factor, in: scope)
    }
    try await store.write { try $0.removeOneTimeRecord(attempts, in: scope) }
    return SecondFactorProof(
      account: account, factorID: factor.id, kind: factor.factorID, at: now)
  }

  private func checkTOTP(
    _ code: Secret<String>, of factor: SecondFactor, in scope: Scope
  ) async throws {
    guard case .totp = factor.kind, let stored = factor.secret else {
      throw AuthError(
        .operationNotAllowed,
        "This second factor cannot be checked, because its secret is not stored.",
        remedy: "Use another one, or have an admin remove it.", step: .credential)
    }
    let secret = Secret(
      try services.quietSecrets.open(stored.encoded, for: Self.totpPurpose(factor.id, scope)))
    let use = try await totpUse(code, secret, name: factor.id, in: scope)
    try await self.use(use, in: scope)
  }

  /// The provider that sends codes to phones; nil if there is none.
  var phone: (any ChallengeIssuing)? { providers[.phone] as? any ChallengeIssuing }

  /// Makes a code for a second factor and sends it.
  ///
  /// A test number has a fixed code and gets no message, so that no limit on messages applies.
  func send(
    _ purpose: String, for subject: String, to number: PhoneNumber, of account: AccountID,
    intent: String, _ requestedFrom: String?, by caller: Caller,
    admitting admit: () async throws -> Void = {}
  ) async throws -> OneTimeCodes.Issued {
    let context = try await context(for: .phone, in: caller.scope)
    let fixed = try await phone?.fixedCode(for: number.text, context)
    if fixed == nil {
      // The regions may have changed since the phone was enrolled.
      try await phone?.checkRecipient(number.text, context)
      try await admit()
    }
    let issued = try await codes(in: caller.scope).issue(
      purpose, for: subject, account: account, fixed: fixed, isCounted: fixed == nil,
      lifetime: Self.codeLifetime)
    if fixed == nil {
      try await services.messages.send(
        OutgoingMessage(
          kind: .secondFactor, scope: caller.scope, recipient: number.text, proof: issued.code,
          expiresAt: issued.expiresAt, requestedFrom: requestedFrom, intent: intent))
    }
    return issued
  }

  static func totpPurpose(_ factorID: String, _ scope: Scope) -> String {
    "totp \(factorID) \(scope)"
  }

  /// Returns the use of a code's time step, or throws `invalid-verification-code`.
  func totpUse(
    _ code: Secret<String>, _ secret: Secret<String>, name: String, in scope: Scope
  ) async throws -> OneTimeUse {
    let drift = try await settings(of: scope).totpDriftSteps
    let now = clock()
    guard
      let step = services.totp.step(of: code.reveal(), secret: secret, at: now, drift: drift)
    else {
      throw AuthError.invalidVerificationCode.failing("The code matches no present time step.")
    }
    let end = (step + Int64(drift) + 1) * TOTPParameters.period + 1
    return OneTimeUse("totp:\(name):\(step)", expiresAt: Timestamp(milliseconds: end * 1000))
  }

  /// Records a use at once, or throws `invalid-verification-code` if it was recorded before.
  func use(_ use: OneTimeUse, in scope: Scope) async throws {
    try await store.write { writer in
      guard try writer.oneTimeRecord(use.recordID, in: scope) == nil else {
        throw AuthError.invalidVerificationCode.failing("The code was used before.")
      }
      try writer.save(use.record, in: scope)
    }
  }
}
