import AuthCore
import IdentityToolkit
import SessionTokens

extension AccountHandler {
  /// Changes an account: a client's own, the one that an admin names, or the one that a code is for.
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
    let (result, caller) = try await call.changingSignedIn { signedIn in
      let account = try await updatedAccount(signedIn)
      var request = UpdateRequest(call: call, account: account, isClient: signedIn != nil)
      request.claims = claims
      request.deleted = deleted
      return try await change(request, of: signedIn)
    }
    await letters.sendTakeBacks(of: result.receipt, result.account)
    let updated = try await removePasskeys(from: result.account, by: caller)
    var answer = try updateAnswer(updated)
    if let next = try result.session?.get() {
      answer.merge(try await call.tokens(for: next, updated)) { $1 }
    }
    answer.merge(try await behavior.tokens(ofChanged: updated, call)) { $1 }
    return .json(.object(answer))
  }

  /// Makes the change of a request, and names the caller of what follows it.
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

  /// Runs an update; what it refuses with is said in the words of this operation.
  private func refusingUpdates<Result>(_ body: () async throws -> Result) async throws -> Result {
    do {
      return try await refusingAsFirebase(body)
    } catch let error as AuthError where error.code == .unverifiedEmail {
      throw WireError("EMAIL_CHANGE_NEEDS_VERIFICATION")
    } catch let error as AuthError where error.code == .ambiguous {
      // A client takes the usual code of it for another account's credential.
      throw WireError("OPERATION_NOT_ALLOWED", error.message)
    }
  }

  /// The account that is to be changed.
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
    // JavaScript's client takes what is listed here for all that is left.
    answer["providerUserInfo"] = record["providerUserInfo"] ?? .array([])
    return answer
  }

  /// The identity with which a session goes on in the account as a change leaves it.
  func wayIn(after signedIn: SignedIn) throws -> @Sendable (Account) -> Identity? {
    let hasNewPassword = try body.filled("password") != nil
    return { [begun = signedIn.identity] account in
      hasNewPassword ? account.passwordIdentity : begun.flatMap(account.wayIn(after:))
    }
  }
}

/// Codes that came by e-mail.
extension AccountHandler {
  private func apply(_ code: String) async throws -> Answer {
    let info = try await graph.actionCode(code, by: caller)
    if let refusal = behavior.refusal(ofChangeBy: info.operation) { throw refusal }
    // A code needs no session; one that is over or another's says nothing of the account.
    let session = try? await call.signedInIfAny()?.account.id
    let result = try await graph.applyActionCode(code, session: session, by: caller)
    await letters.sendTakeBacks(of: result.receipt, result.account)
    var answer = try updateAnswer(result.account)
    if info.operation == .verifyAndChangeEmail { answer.put("newEmail", info.newEmail?.text) }
    return .json(.object(answer))
  }
}

extension Account {
  /// The identity with which a session goes on after its own change: the one that it began with, or what took its place.
  ///
  /// A caller who unlinks what the session began with goes on by another way in, and not with tokens that are over at once.
  fileprivate func wayIn(after key: IdentityKey) -> Identity? {
    if let same = identity(reachedBy: key) { return same }
    // A password follows its address, and so does a link to an address that was shown.
    let moved =
      switch key.provider {
      case .password: passwordIdentity
      case .emailLink: email.flatMap { identity(.emailLink($0)) }
      default: nil as Identity?
      }
    return moved ?? identities.first
  }
}
