/// A change of one account apart from linking: the action, the account and the fields it sets.
struct AccountEdit: Sendable {
  let action: Action
  let account: AccountID
  var changes = ProfileChanges()
  /// The keys to load beside those of the account and of its new fields.
  var otherKeys: [AccountKey] = []
  /// True if it requires a recent sign-in, whichever fields it sets.
  var isSensitive = false
  /// True if the caller chose the uid of a new account.
  var isUIDChosen = false

  /// A function that adds the changed rows to the verdict, given the account as it was; nil for a new one.
  typealias Body = @Sendable (Account?, OperationContext, inout Verdict) throws -> Void
}

extension AccountGraph {
  /// Creates an account from an admin's description.
  ///
  /// Throws `email-already-in-use`, `phone-number-already-exists`, `uid-already-exists`, `weak-password`, or the error
  /// of an invalid field.
  public func create(
    _ changes: ProfileChanges, uid: AccountID? = nil, factors: [FactorEntry] = [],
    by caller: Caller
  ) async throws -> Receipt {
    try requireAdmin(caller)
    let id = try uid.map { try AccountID(validating: $0.rawValue) } ?? newAccountID()
    let secret = try await storedPassword(changes, email: changes.email.applied(to: nil), caller)
    let edit = AccountEdit(
      action: .create, account: id, changes: changes, isUIDChosen: uid != nil)
    return try await perform(edit, by: caller) { _, context, verdict in
      var account = Account(id: id, scope: caller.scope, createdAt: context.now)
        .applying(changes, secret: secret, at: context.now)
        .owned(since: context.moment.ownership)
      if !factors.isEmpty {
        account.secondFactors = try self.factors(factors, of: account, at: context.now)
      }
      verdict.accountID = id
      verdict.changes.inserted = [account]
    }.receipt
  }

  /// Changes an account's own fields.
  ///
  /// A new e-mail is unverified unless the changes say otherwise; a new e-mail or password ends the sessions. Throws
  /// like ``create(_:uid:factors:by:)``, and `user-not-found`, `requires-recent-login`, `operation-not-allowed` for
  /// fields that only an admin may change, or `last-sign-in-method` unless an admin forces it.
  public func update(
    _ id: AccountID, _ changes: ProfileChanges, force: Bool = false, by caller: Caller
  ) async throws -> Receipt {
    var update = AccountUpdate()
    update.profile = changes
    update.force = force
    return try await self.update(id, update, by: caller).receipt
  }

  /// Disables or enables an account, and ends its sessions.
  public func setDisabled(
    _ disabled: Bool, _ id: AccountID, by caller: Caller
  ) async throws -> Receipt {
    try requireAdmin(caller)
    let changes = ProfileChanges(disabled: disabled)
    let edit = AccountEdit(
      action: disabled ? .disable : .enable, account: id, changes: changes)
    return try await perform(edit, by: caller) { old, context, verdict in
      guard let old else { throw AuthError.userNotFound }
      guard id == old.id else { throw AuthError.wasMerged(id, into: old.id) }
      verdict.changes.update(old, to: old.applying(changes, secret: nil, at: context.now))
    }.receipt
  }

  /// Ends every session of an account.
  public func revokeSessions(of id: AccountID, by caller: Caller) async throws -> Receipt {
    let edit = AccountEdit(action: .revokeSessions, account: id)
    return try await perform(edit, by: caller) { old, context, verdict in
      guard let old else { throw AuthError.userNotFound }
      var new = old
      new.cutSessions(at: context.now)
      verdict.changes.update(old, to: new)
    }.receipt
  }

  /// Changes the scope's settings; a new merge policy becomes a version of its history.
  ///
  /// Throws `operation-not-allowed` unless the caller is an admin, or `too-much-contention` if the accounts do not fit
  /// the change.
  public func changeSettings(
    _ action: Action = .changeSettings, by caller: Caller,
    _ change: @escaping @Sendable (inout ProjectSettings) -> Void
  ) async throws -> Receipt {
    try requireAdmin(caller)
    return try await perform(
      caller,
      load: SnapshotQuery(in: caller.scope),
      decide: { snapshot, moment in
        var settings = snapshot.settings
        change(&settings)
        var register = PolicyRegister(
          snapshot.settings, of: policies, at: moment, by: caller)
        register.follow(settings)
        return Verdict(action, register, from: snapshot)
      }
    ).receipt
  }

  func requireAdmin(_ caller: Caller) throws(AuthError) {
    guard caller.isAdmin else { throw AuthError.onlyAdmins("do this") }
  }

  /// Returns the stored form of a new password, made by the password provider; nil if there is no new one.
  func storedPassword(
    _ changes: ProfileChanges, email: EmailAddress?, _ caller: Caller
  ) async throws -> String? {
    guard let password = changes.password else { return nil }
    // The hash of a password that waits for an address does not depend on one.
    let owner = try email ?? EmailAddress("nobody@address.invalid")
    return try await passwordHash(password, for: owner, by: caller)
  }

  /// Returns the stored form of a new password; throws `weak-password` or another error of the password provider.
  ///
  /// A placeholder from an admin's form is refused. A person may choose such a text as a password.
  func passwordHash(
    _ password: Secret<String>, for email: EmailAddress, by caller: Caller
  ) async throws -> String {
    if caller.isAdmin { try SecretPlaceholder.refuse(in: password.reveal(), field: "password") }
    let credential = try providers.credential(
      .password, ["email": email.text, "password": password.reveal()])
    let identity = try await verify(credential, .enroll, in: caller.scope)
    guard case .chosen(let encoded) = identity.secret else {
      throw AuthError(.internalError, "The password provider made no hash.", step: .credential)
    }
    return encoded
  }

  /// Performs an edit of one account, after checks that the caller may and that its new keys are free.
  func perform(
    _ edit: AccountEdit, by caller: Caller, _ body: @escaping AccountEdit.Body
  ) async throws -> (receipt: Receipt, verdict: Verdict) {
    let (id, changes) = (edit.account, edit.changes)
    try changes.check()
    let email = changes.email.applied(to: nil)
    let number = changes.phoneNumber.applied(to: nil)
    let keys =
      [.uid(id)] + edit.otherKeys
      + (email?.ownershipKeys ?? [])
      + [number.map(AccountKey.phone), number.map { .identity(.phone($0)) }].compactMap(\.self)
    var following: [SnapshotQuery.Following] = []
    if changes.emailVerified == true { following.append(.address(of: id)) }
    if changes.password != nil { following.append(.waysIn(byAddressOf: id)) }
    var query = SnapshotQuery(keys, following: following, in: caller.scope)
    if edit.isUIDChosen { query.newUIDs = [id] }
    let question = HookQuestion(method: changes.password == nil ? .emailLink : .password)
    return try await performAsking(
      question, caller,
      load: query,
      decide: { snapshot, moment in
        var verdict = Verdict(action: edit.action, accountID: id)
        verdict.details["fields"] = .array(changes.fieldNames.map(JSONValue.string))
        let old = snapshot.account(id)
        if let old {
          verdict.accountID = old.id
          var rules = rules(by: caller, at: moment.now, on: snapshot)
          let right = rules.editable(
            old.id, needsRecentLogin: edit.isSensitive || changes.isSensitive)
          verdict.trace = rules.trace
          if case .failure(let error) = right {
            verdict.error = error
            return verdict
          }
        }
        if changes.password != nil {
          do throws(AuthError) {
            try services.quirks.checkPasswords(snapshot.settings.signIn, caller)
          } catch {
            verdict.error = error
            return verdict
          }
        }
        if !caller.isAdmin, let name = changes.adminFieldNames.first {
          verdict.error = .onlyAdmins("change \(name) directly")
          return verdict
        }
        if let email, let old,
          let refusal = services.quirks.refusal(
            ofMove: AddressChange.refusal(of: email, for: old, by: caller, snapshot.settings))
        {
          verdict.error = refusal
          return verdict
        }
        if old == nil && edit.action != .create {
          verdict.error = .userNotFound
          return verdict
        }
        if old != nil && edit.action == .create {
          verdict.error = .uidAlreadyExists
          return verdict
        }
        if edit.action == .create, let deletion = snapshot.keeper(of: id, at: moment.now) {
          verdict.error = .uidKept(id, by: deletion)
          return verdict
        }
        if let taken = snapshot.taken(email, number, by: old, changes) {
          verdict.error = taken
          return verdict
        }
        let context = OperationContext(snapshot: snapshot, moment: moment, caller: caller)
        do { try body(old, context, &verdict) } catch let error as AuthError {
          verdict.error = error
        }
        services.quirks.keepVerification(
          stated: changes.emailVerified, before: old, in: &verdict, on: snapshot)
        return verdict
      }
    ).get()
  }
}
