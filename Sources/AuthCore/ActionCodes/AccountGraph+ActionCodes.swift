/// A request for an e-mailed code.
public struct ActionCodeRequest: Sendable {
  /// The effect of the code.
  public var operation: ActionCode.Operation
  /// The account's address; nil if the account's own session asks.
  public var email: EmailAddress?
  /// The address to change to, for a change of the address.
  public var newEmail: EmailAddress?
  /// The URL at which the person continues afterwards; kept for the emulator's list of open codes.
  public var continueURL: String?

  /// Makes a request.
  public init(
    _ operation: ActionCode.Operation, email: EmailAddress? = nil, newEmail: EmailAddress? = nil,
    continueURL: String? = nil
  ) {
    self.operation = operation
    self.email = email
    self.newEmail = newEmail
    self.continueURL = continueURL
  }
}

/// A code that a transaction made.
struct MadeActionCode: Sendable {
  let issued: ActionCode
  let account: AccountID?
  /// True if no account has the address: the code is not sent, and opens nothing.
  let isDecoy: Bool
}

extension AccountGraph {
  func actionCodes(in scope: Scope) -> ActionCodes { ActionCodes(codes: codes(in: scope)) }

  /// Makes a code and returns it to the caller.
  ///
  /// ``sendActionCode(_:as:by:)`` sends a code instead. A session verifies or changes the address of its own account;
  /// an admin names the account's address. Any client may ask for a password reset or a sign-in by naming the address.
  /// A second request to change an address voids the first.
  ///
  /// Returns nil if no account has the address and the scope hides that. Throws `user-not-found`,
  /// `email-already-in-use`, `operation-not-allowed`, `requires-recent-login`, `invalid-argument` (field `email`,
  /// `newEmail`) or `too-many-requests`.
  public func makeActionCode(
    _ request: ActionCodeRequest, by caller: Caller
  ) async throws -> ActionCode? {
    try caller.cannotRehearse("A code")
    if let continueURL = request.continueURL {
      try TextBounds.continueURL.check(continueURL, "A continue URL", field: "continueURL")
    }
    let now = clock()
    let made = try await store.write { writer in
      try make(request, in: CallerTransaction(writer: writer, caller: caller, now: now))
    }
    return made?.isDecoy == false ? made?.issued : nil
  }

  /// Makes a code in a transaction; nil if no account has the address and the emulator makes no decoy.
  func make(
    _ request: ActionCodeRequest, in transaction: CallerTransaction
  ) throws -> MadeActionCode? {
    let (writer, caller) = (transaction.writer, transaction.caller)
    try request.email?.checkSpecials()
    try request.newEmail?.checkSpecials()
    let codes = actionCodes(in: caller.scope)
    let settings = try writer.settings(of: caller.scope)
    try settings.signIn.checkOpen(to: caller)
    if let provider = request.operation.provider {
      try settings.signIn.check(provider, by: caller)
    }
    var account: Account?
    var isDecoy = false
    switch request.operation {
    case .emailSignIn: break
    case .resetPassword:
      account = try request.email.flatMap { try writer.resettable(by: $0, in: caller.scope) }
      if request.email != nil, account == nil {
        guard settings.signIn.hidesAccounts, !services.quirks.tells(caller.isAdmin) else {
          throw AuthError.noAccountWithAddress
        }
        guard services.quirks.makesDecoyCodes else { return nil }
        // The work stays the same, including the read of an account, because its time would reveal which accounts
        // exist.
        isDecoy = true
        _ = try writer.account(AccountID("unknown"), in: caller.scope)
      }
    case .verifyEmail, .verifyAndChangeEmail:
      account = try self.account(asking: request, in: transaction)
    case .recoverEmail, .revertSecondFactorAddition:
      throw AuthError.notAllowed("A code of this kind is made by the change that it takes back.")
    }
    let info = try info(request, of: account, in: transaction)
    try count(info, of: account, in: transaction)
    let (issued, record) = try codes.make(
      info, of: account, continueURL: request.continueURL, from: caller.client,
      at: transaction.now)
    try writer.save(record, in: caller.scope)
    if request.operation == .verifyAndChangeEmail, let account {
      try services.quirks.bounding {
        try replaceOpenChange(of: account.id, by: record, writer, in: caller.scope)
      }
    }
    return MadeActionCode(issued: issued, account: account?.id, isDecoy: isDecoy)
  }

  /// Voids an earlier request to change the account's address: a second request corrects the first.
  private func replaceOpenChange(
    of account: AccountID, by record: OneTimeRecord, _ writer: any AccountWriter, in scope: Scope
  ) throws {
    if let last = try writer.oneTimeRecord(ActionCodes.changeID(account), in: scope) {
      try writer.removeOneTimeRecord(last.content, in: scope)
    }
    let open = actionCodes(in: scope).openChange(record.id, of: account, until: record.expiresAt)
    try writer.save(open, in: scope)
  }

  /// Counts the codes for an address, or throws `too-many-requests`.
  private func count(
    _ code: ActionCode.Info, of account: Account?, in transaction: CallerTransaction
  ) throws {
    let caller = transaction.caller
    guard !caller.isAdmin else { return }
    let limits = services.codeLimits()
    let attempts = Attempts(
      "issued:\(account?.id.rawValue ?? ""):\(code.operation.rawValue):\(code.email.canonical)",
      from: caller.client.network, each: limits.codesOfNetwork, all: limits.codes)
    try services.quirks.bounding {
      try attempts.count(transaction.writer, at: transaction.now, in: transaction.scope)
    }
  }

  /// Returns the account whose address is to be verified or changed.
  private func account(
    asking request: ActionCodeRequest, in transaction: CallerTransaction
  ) throws -> Account {
    let (reader, caller) = (transaction.writer, transaction.caller)
    switch caller.authority {
    case .session(let id, _, _, _):
      let snapshot = try reader.snapshot(SnapshotQuery([.uid(id)], in: caller.scope))
      var rules = rules(by: caller, at: transaction.now, on: snapshot)
      return try rules.editable(
        id, needsRecentLogin: request.operation == .verifyAndChangeEmail
      ).get()
    case .admin:
      guard let email = request.email else { throw AuthError.noAddress }
      guard let account = try reader.holder(of: email, in: caller.scope) else {
        throw AuthError.userNotFound
      }
      return account
    case .anyone:
      throw AuthError.onlyOwnerOrAdmin
    }
  }

  private func info(
    _ request: ActionCodeRequest, of account: Account?, in transaction: CallerTransaction
  ) throws -> ActionCode.Info {
    let own = request.operation == .resetPassword ? account?.mailbox(request.email) : account?.email
    guard let email = own ?? (account == nil ? request.email : nil) else {
      throw AuthError.noAddress
    }
    guard request.operation == .verifyAndChangeEmail else {
      return ActionCode.Info(operation: request.operation, email: email)
    }
    guard let new = request.newEmail else {
      throw AuthError(
        .invalidArgument, "The new address is missing.", field: "newEmail",
        remedy: "Give the new address as newEmail.", step: .decision)
    }
    let snapshot = try transaction.writer.snapshot(
      SnapshotQuery(new.ownershipKeys, in: transaction.scope))
    var changes = ProfileChanges()
    changes.email = .set(new)
    changes.emailVerified = true
    if let taken = snapshot.taken(new, nil, by: account, changes, proof: proof) { throw taken }
    return ActionCode.Info(operation: request.operation, email: email, newEmail: new)
  }

  /// Returns the effect of a code, or throws `invalid-action-code` or `expired-action-code`.
  public func actionCode(_ code: String, by caller: Caller) async throws -> ActionCode.Info {
    try await actionCodes(in: caller.scope).find(code).info
  }

  /// Returns the effect of a code, its account and the origin of its request.
  ///
  /// For a page on which the mailbox's reader decides. The account is nil if it is gone. Throws like
  /// ``actionCode(_:by:)``.
  public func actionCodeDetails(
    _ code: String, by caller: Caller
  ) async throws -> ActionCodeDetails {
    let found = try await actionCodes(in: caller.scope).find(code)
    var account: Account?
    if let id = found.account { account = try await self.account(id, in: caller.scope) }
    return ActionCodeDetails(
      info: found.info, account: account, requestedAt: found.madeAt, address: found.address,
      userAgent: found.userAgent)
  }

  /// Returns the open codes of a scope, oldest first, for the emulator's list.
  ///
  /// Throws `operation-not-allowed` if codes expire, because then only the recipient may see them.
  public func openActionCodes(in scope: Scope) async throws -> [ActionCode] {
    try services.quirks.checkListing()
    return try await actionCodes(in: scope).all().map(\.issued)
  }
}

extension AccountReader {
  /// Returns the account that an address leads to: the one that verified it, or else the one with a password for it.
  func holder(of email: EmailAddress, in scope: Scope) throws -> Account? {
    let found = try accountIDs(withEmail: email.canonical, in: scope)
      .compactMap { try account($0, in: scope) }
    return found.first(where: \.emailVerified)
      ?? found.first { $0.identity(.password(email)) != nil } ?? found.first
  }
}

extension AccountReader {
  /// Returns the account whose password a message to an address may reset.
  ///
  /// That is the address's holder, or else the account that links to the address sign in to.
  fileprivate func resettable(by email: EmailAddress, in scope: Scope) throws -> Account? {
    try holder(of: email, in: scope) ?? account(owning: .emailLink(email), in: scope)
  }
}

extension Account {
  /// Returns the account's own spelling of an address at which it gets mail.
  fileprivate func mailbox(_ wanted: EmailAddress?) -> EmailAddress? {
    guard let wanted, !wanted.matches(email) else { return email }
    let link = identity(.emailLink(wanted))
    return link.flatMap { try? EmailAddress($0.profile.email ?? $0.key.subject) }
  }
}

extension ActionCode.Operation {
  /// The way to sign in that the code belongs to.
  fileprivate var provider: ProviderID? {
    switch self {
    case .resetPassword: .password
    case .emailSignIn: .emailLink
    default: nil
    }
  }

  /// The kind of message that carries the code.
  var message: OutgoingMessage.Kind {
    switch self {
    case .resetPassword: .resetPassword
    case .verifyEmail: .verifyEmail
    case .emailSignIn: .emailLink
    case .verifyAndChangeEmail: .changeEmail
    case .recoverEmail: .recoverEmail
    case .revertSecondFactorAddition: .secondFactorAdded
    }
  }

  /// The intent that the message names.
  var intent: String {
    switch self {
    case .resetPassword: "reset-password"
    case .verifyEmail: "verify-email"
    case .emailSignIn: "sign-in"
    case .verifyAndChangeEmail: "change-email"
    case .recoverEmail: "recover-email"
    case .revertSecondFactorAddition: "remove-second-factor"
    }
  }
}

extension AuthError {
  fileprivate static let noAddress = AuthError(
    .invalidArgument, "The account has no e-mail address, and none was named.", field: "email",
    remedy: "Name one, or set one with account:update { email = \"ada@example.com\" }.",
    step: .decision)
  fileprivate static let noAccountWithAddress = AuthError(
    .userNotFound, "No account has this address.", field: "email",
    remedy: "Check its spelling, or look for it with accounts.find.", step: .decision)
}
