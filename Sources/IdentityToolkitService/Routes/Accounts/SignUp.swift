import AuthCore
import IdentityToolkit
import SessionTokens

extension AccountHandler {
  /// Opens an account, or adds an address and a password to the account of an ID token.
  func signUp() async throws -> Answer {
    isPrivileged ? try await signUpByAdmin() : try await signUpByClient()
  }

  private func signUpByClient() async throws -> Answer {
    guard try body.filled("localId") == nil else {
      throw WireError("UNEXPECTED_PARAMETER", "User ID")
    }
    try refuseEmptyForm()
    let factors = try chosenFactors()
    guard let address = try body.text("email") else {
      guard behavior.opensAnonymously(body) else { throw WireError("MISSING_EMAIL") }
      return try await signUpAnonymously(factors)
    }
    guard let password = try body.filled("password") else { throw WireError("MISSING_PASSWORD") }
    guard try await isOpen(.password) else {
      throw behavior.closed(.password)
    }
    let email = try WireFields.email(address)
    try await behavior.checkSignUp(email, password, self)
    let signedIn: SignedIn?
    do {
      signedIn = try await call.signedInIfAny()
    } catch let error as WireError {
      let repeated = try await repeatedPassword(orThrow: error)
      return try await signUpAnswer(repeated.account, repeated.session)
    }
    if let signedIn { return try await link(email, password, to: signedIn) }
    let credential = try passwordCredential(email, password)
    let name = try body.filled("displayName")
    let result = try await refusingAsFirebase {
      try await graph.signUp(credential, displayName: name, by: caller)
    }
    return try await signUpAnswer(
      result.account, result.session, enrolling: factors, mergedFrom: result.mergedFrom)
  }

  /// Refuses an empty address or ID token: the client did not mean to open an account.
  private func refuseEmptyForm() throws(WireError) {
    for (name, code) in [("email", "INVALID_EMAIL"), ("idToken", "INVALID_ID_TOKEN")] {
      if try body.text(name)?.isEmpty == true { throw WireError(code) }
    }
  }

  private func signUpAnonymously(_ factors: [FactorEntry]?) async throws -> Answer {
    guard try await isOpen(.anonymous) else {
      throw behavior.closed(.anonymous)
    }
    let result = try await graph.signIn(
      try graph.providers.credential(.anonymous, [:]), by: caller)
    return try await signUpAnswer(result.account, result.session, enrolling: factors)
  }

  /// Reads the second factors of a new account.
  private func chosenFactors() throws -> [FactorEntry]? {
    // The field is refused before it is parsed.
    guard behavior.mayChooseFactors(call) || [nil, .array([])].contains(body.value("mfaInfo"))
    else {
      throw WireError("INSUFFICIENT_PERMISSION")
    }
    return try body.secondFactors("mfaInfo", at: services.clock(), ids: .made)
  }

  private func signUpAnswer(
    _ account: Account, _ session: SessionGrant?, enrolling factors: [FactorEntry]? = nil,
    mergedFrom: [AccountID] = []
  ) async throws -> Answer {
    var answer: [String: JSONValue] = [
      "kind": "identitytoolkit#SignupNewUserResponse", "localId": .string(account.id.rawValue),
    ]
    answer.put("displayName", account.displayName)
    answer.put("email", account.email?.text)
    if let session {
      answer.merge(try await call.tokens(for: session, account, mergedFrom: mergedFrom)) { $1 }
    }
    if let session, let factors, !factors.isEmpty {
      var update = AccountUpdate()
      update.factors = factors
      _ = try await graph.update(account.id, update, by: caller(of: session))
    }
    return .json(.object(answer))
  }
}

/// Addition of an address and a password to an account.
extension AccountHandler {
  /// Returns the caller of a session that was just allowed.
  private func caller(of session: SessionGrant) -> Caller {
    var caller = Caller(
      scope: scope,
      authority: .session(
        session.account, signedInAt: session.signedInAt, secondFactor: session.secondFactor != nil,
        identity: session.identity),
      client: client)
    caller.mark = .of(session.mark)
    return caller
  }

  private func link(
    _ email: EmailAddress, _ password: String, to signedIn: SignedIn
  ) async throws -> Answer {
    let linked = try await linkedPassword(email, password, to: signedIn)
    let name = try body.filled("displayName")
    var changes = ProfileChanges()
    changes.displayName = name.map { .set($0) } ?? behavior.unnamed
    guard changes.displayName != .leave, name != linked.account.displayName else {
      return try await signUpAnswer(linked.account, linked.session, mergedFrom: linked.mergedFrom)
    }
    _ = try await graph.update(linked.account.id, changes, by: caller(of: linked.session))
    let account = try await graph.account(linked.account.id, in: scope)
    return try await signUpAnswer(
      account ?? linked.account, linked.session, mergedFrom: linked.mergedFrom)
  }

  private func linkedPassword(
    _ email: EmailAddress, _ password: String, to signedIn: SignedIn
  ) async throws -> (account: Account, session: SessionGrant, mergedFrom: [AccountID]) {
    let id = signedIn.account.id
    let factor = signedIn.token.secondFactor
    if behavior.replacesPassword(of: signedIn.account) {
      // The account has a password: the address and the password replace the old ones.
      var changes = ProfileChanges()
      if !email.matches(signedIn.account.email) { changes.email = .set(email) }
      changes.password = Secret(password)
      var update = AccountUpdate()
      update.profile = changes
      let wayIn = SessionContinuation.WayIn(.password, .password(email))
      let result = try await refusingAsFirebase {
        try await graph.update(
          id, update, continuing: SessionContinuation(showing: factor) { _ in wayIn },
          by: signedIn.caller)
      }
      await letters.sendTakeBacks(of: result.receipt, signedIn.account)
      guard let next = try result.session?.get() else { throw WireError.internalError }
      return (result.account, next, [])
    }
    let credential = try passwordCredential(email, password)
    let result = try await refusingAsFirebase {
      try await graph.linkForSession(credential, to: id, showing: factor, by: signedIn.caller)
    }
    await letters.sendTakeBacks(of: result.receipt, result.account)
    return (result.account, result.session, result.mergedFrom)
  }
}

/// Creation of accounts by an admin.
extension AccountHandler {
  private func signUpByAdmin() async throws -> Answer {
    let uid = try body.filled("localId")
    try refuseEmptyForm()
    guard try body.filled("idToken") == nil || uid == nil else {
      throw WireError("UNEXPECTED_PARAMETER", "User ID")
    }
    var changes = ProfileChanges()
    changes.phoneNumber = try body.phoneNumber().map { .set($0) } ?? .leave
    changes.displayName = try body.change("displayName")
    changes.photoURL = try body.change("photoUrl")
    changes.email = try body.filled("email").map { .set(try WireFields.email($0)) } ?? .leave
    changes.emailVerified = try body.bool("emailVerified") ?? false
    if try body.bool("disabled") == true { changes.disabled = true }
    changes.password = try body.filled("password").map { Secret($0) }
    let factors = try chosenFactors() ?? []
    changes.lastSignInAt = behavior.signInTime(ofAccountMadeAt: services.clock())
    if let signedIn = try await call.signedInIfAny() {
      return try await signUpAnswer(try await changed(signedIn.account, changes, factors), nil)
    }
    let receipt = try await refusingAsFirebase {
      try await graph.create(
        changes, uid: uid.map { AccountID($0) }, factors: factors, by: caller)
    }
    guard let account = try await graph.account(receipt.accountID, in: scope) else {
      throw WireError("USER_NOT_FOUND")
    }
    return try await signUpAnswer(account, nil)
  }

  private func changed(
    _ account: Account, _ changes: ProfileChanges, _ factors: [FactorEntry]
  ) async throws -> Account {
    var update = AccountUpdate()
    update.profile = changes
    update.factors = factors.isEmpty ? nil : factors
    return try await refusingAsFirebase {
      try await graph.update(account.id, update, by: caller).account
    }
  }
}
