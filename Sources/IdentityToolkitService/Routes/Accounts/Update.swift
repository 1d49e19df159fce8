import AuthCore
import IdentityToolkit
import SessionTokens

extension AccountHandler {
  /// Changes the client's own account, the one that an admin names, or the one of a code.
  func update() async throws -> Answer {
    try UpdateRequest.refuseUnfinished(body)
    if isPrivileged {
      guard try body.filled("localId") != nil else { throw WireError("MISSING_LOCAL_ID") }
    } else {
      guard try body.filled("idToken") != nil || body.filled("oobCode") != nil else {
        throw WireError("INVALID_REQ_TYPE", "Unsupported request parameters.")
      }
      guard body.value("customAttributes") == nil else {
        throw WireError("INSUFFICIENT_PERMISSION")
      }
    }
    let claims = try body.filled("customAttributes").map(WireClaims.read)
    let deleted = try UpdateRequest.deletedAttributes(body)
    if let code = try body.filled("oobCode") { return try await apply(code) }
    let (result, caller): (AccountUpdateResult, Caller)
    do {
      (result, caller) = try await call.changingSignedIn { signedIn in
        let account = try await updatedAccount(signedIn)
        var request = UpdateRequest(call: call, account: account, isClient: signedIn != nil)
        request.claims = claims
        request.deleted = deleted
        return try await change(request, of: signedIn)
      }
    } catch let error as WireError where !isPrivileged {
      let repeated = try await repeatedPassword(orThrow: error)
      guard let session = repeated.session else { throw error }
      return .json(
        .object(
          try updateAnswer(repeated.account).merging(
            try await call.tokens(for: session, repeated.account)
          ) { $1 }))
    }
    await letters.sendTakeBacks(of: result.receipt, result.account)
    let updated = try await removePasskeys(from: result.account, by: caller)
    var answer = try updateAnswer(updated)
    answer.merge(waysIn(after: result.receipt, of: updated.id, for: .owner)) { $1 }
    if let next = try result.session?.get() {
      answer.merge(try await call.tokens(for: next, updated)) { $1 }
    }
    answer.merge(try await behavior.tokens(ofChanged: updated, call)) { $1 }
    return .json(.object(answer))
  }

  /// Makes the change of a request, and returns the caller for the operations that follow it.
  private func change(
    _ request: UpdateRequest, of signedIn: SignedIn?
  ) async throws -> (result: AccountUpdateResult, caller: Caller) {
    var caller = isPrivileged ? caller : signedIn?.caller ?? caller
    caller.account = signedIn?.caller.account
    let update = try request.update()
    let result = try await refusingUpdates {
      try await graph.update(
        request.account.id, update,
        continuing: isPrivileged
          ? nil : try signedIn.map { try behavior.continuation(of: $0, after: self) },
        by: caller)
    }
    caller.account = nil
    return (result, caller)
  }

  /// Runs an update, and converts its errors to those of this operation.
  private func refusingUpdates<Result>(_ body: () async throws -> Result) async throws -> Result {
    do {
      return try await refusingAsFirebase(body)
    } catch let error as AuthError where error.code == .unverifiedEmail && !self.body.has("mfa") {
      throw WireError("EMAIL_CHANGE_NEEDS_VERIFICATION")
    } catch let error as AuthError where error.code == .ambiguous {
      // Clients read the usual code as "credential of another account".
      throw WireError("OPERATION_NOT_ALLOWED", error.message)
    }
  }

  /// Returns the account to change.
  private func updatedAccount(_ signedIn: SignedIn?) async throws -> Account {
    if let signedIn {
      guard body.value("disableUser") == nil else { throw WireError("OPERATION_NOT_ALLOWED") }
      return signedIn.account
    }
    guard let uid = try body.filled("localId") else { throw WireError("MISSING_LOCAL_ID") }
    guard let account = try await graph.account(AccountID(uid), in: scope) else {
      throw WireError("USER_NOT_FOUND")
    }
    return account
  }

  private func removePasskeys(from account: Account, by caller: Caller) async throws -> Account {
    let ids = Set(try body.texts("deletePasskey") ?? [])
    let keys = account.identities(of: .passkey).map(\.key.subject).filter(ids.contains)
    guard !keys.isEmpty else { return account }
    for key in keys {
      _ = try await graph.unlink(.passkey, subject: key, from: account.id, by: caller)
    }
    return try await graph.account(account.id, in: scope) ?? account
  }

  private func updateAnswer(_ account: Account) throws -> [String: JSONValue] {
    var answer: [String: JSONValue] = ["kind": "identitytoolkit#SetAccountInfoResponse"]
    let record = try call.userRecord(account).value
    for name in [
      "localId", "email", "emailVerified", "displayName", "photoUrl", "passwordHash",
    ] {
      answer[name] = record[name]
    }
    // JavaScript's client reads this list as all the identities that remain.
    answer["providerUserInfo"] = record["providerUserInfo"] ?? .array([])
    return answer
  }

  /// Returns the identity with which the session continues, given the account after the change.
  func wayIn(after signedIn: SignedIn) throws -> @Sendable (Account) -> Identity? {
    let hasNewPassword = try body.filled("password") != nil
    return { [begun = signedIn.identity] account in
      hasNewPassword ? account.passwordIdentity : begun.flatMap(account.wayIn(after:))
    }
  }
}

/// Codes from e-mails.
extension AccountHandler {
  private func apply(_ code: String) async throws -> Answer {
    let info = try await graph.actionCode(code, by: caller)
    if let refusal = behavior.refusal(ofChangeBy: info.operation) { throw refusal }
    // A code needs no session. An ended session, or one of another account, reveals nothing about the code's account.
    let session = try? await call.signedInIfAny()?.account.id
    let result = try await graph.applyActionCode(code, session: session, by: caller)
    await letters.sendTakeBacks(of: result.receipt, result.account)
    var answer = try updateAnswer(result.account)
    // A session of the account itself sees all; a code alone proves a mailbox.
    let audience = session == result.account.id ? WayIn.Audience.owner : .mailbox
    answer.merge(waysIn(after: result.receipt, of: result.account.id, for: audience)) { $1 }
    if info.operation == .verifyAndChangeEmail { answer.put("newEmail", info.newEmail?.text) }
    return .json(.object(answer))
  }
}

extension Account {
  /// Returns the identity with which a session continues after its own change: its first one, or that one's
  /// replacement.
  ///
  /// If a client unlinks that identity, the tokens of the answer belong to another one. The client may also keep those
  /// that it had; see ``UnlinkedSession``.
  fileprivate func wayIn(after key: IdentityKey) -> Identity? {
    if let same = identity(reachedBy: key) { return same }
    // A password follows its address, and so does a link to an address that was verified.
    let moved =
      switch key.provider {
      case .password: passwordIdentity
      case .emailLink: email.flatMap { identity(.emailLink($0)) }
      default: nil as Identity?
      }
    return moved ?? identities.first
  }
}
