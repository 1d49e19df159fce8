/// The deviations of Firebase's emulator from production.
///
/// The rules decide as production does, and call these functions where the emulator is known to differ. Each function
/// returns the rules' decision unless its quirk is on, and no quirk is read elsewhere. Quirks are properties of the
/// process and are not stored. Each gives up some protection for tests that were written against the emulator.
public struct EmulatorQuirks: Hashable, Sendable {
  /// A provider's claim to have verified an address counts for every provider.
  public var trustsEveryProvider = false
  /// A take-over keeps the identities of other vendors.
  public var keepsVendorsAtTakeOver = false
  /// Another subject of a linked provider replaces the first one.
  public var replacesLinkedProvider = false
  /// Removing the password also removes the address.
  public var unlinkingPasswordRemovesEmail = false
  /// Sensitive changes require a recent sign-in and the second factor; false in the emulator.
  public var asksForRecentLogin = true
  /// The last way to sign in may be removed.
  public var allowsUnlinkingLastMethod = false
  /// Codes, proofs and pending operations do not expire, and guesses are not counted.
  public var nothingExpires = false
  /// Changes to second factors and identities end no sessions.
  public var keepsSessions = false
  /// Linking a password for the account's own address is refused with `email-already-in-use`.
  public var refusesOwnEmail = false
  /// Confirming a password reset removes every vendor's identity.
  public var resetRemovesVendors = false
  /// Clients may assert identities and second factors, as admins may.
  public var believesClients = false
  /// Removing an identity that is not linked does nothing and is no error.
  public var ignoresUnlinkedProviders = false
  /// A session may move its account to an unproven address, and the old mailbox gets no code.
  public var movesToUnprovenAddresses = false
  /// A session may set a password even if passwords are closed.
  public var setsClosedPasswords = false
  /// An admin's assertion moves an identity from the account that has it.
  public var movesAssertedIdentities = false
  /// An identity that is linked by its address replaces the whole profile; no other sign-in changes it.
  public var replacesProfileAtAutoLink = false

  /// An account without an address may be marked as verified.
  public var verifiesWithoutAddress = false
  /// A credential is linked before the second factor of its account is shown, and a password needs none.
  public var linksBeforeSecondFactor = false
  /// A change of the address that meets a taken one uses its code up.
  public var spendsRefusedCodes = false

  /// An anonymous account becomes a person's without `before_create`.
  public var upgradesUnasked = false

  /// Makes quirks that are all off.
  public init() {}

  /// No quirks.
  public static let production = EmulatorQuirks()

  /// All quirks.
  public static var emulator: EmulatorQuirks {
    var quirks = EmulatorQuirks()
    quirks.trustsEveryProvider = true
    quirks.keepsVendorsAtTakeOver = true
    quirks.replacesLinkedProvider = true
    quirks.unlinkingPasswordRemovesEmail = true
    quirks.asksForRecentLogin = false
    quirks.allowsUnlinkingLastMethod = true
    quirks.nothingExpires = true
    quirks.keepsSessions = true
    quirks.refusesOwnEmail = true
    quirks.resetRemovesVendors = true
    quirks.believesClients = true
    quirks.ignoresUnlinkedProviders = true
    quirks.movesAssertedIdentities = true
    quirks.upgradesUnasked = true
    quirks.verifiesWithoutAddress = true
    quirks.linksBeforeSecondFactor = true
    quirks.spendsRefusedCodes = true
    quirks.movesToUnprovenAddresses = true
    quirks.setsClosedPasswords = true
    quirks.replacesProfileAtAutoLink = true
    return quirks
  }
}

// MARK: Trust and take-over

extension EmulatorQuirks {
  func trusts(
    _ provider: ProviderID, for email: EmailAddress, _ policy: TrustPolicy
  ) -> Bool {
    trustsEveryProvider || policy.trusts(provider, for: email)
  }

  /// Returns the setting that a trace names.
  func named(_ trust: String) -> String {
    trustsEveryProvider ? "every provider is trusted" : trust
  }

  /// Tells whether an account without an address takes that of a linked identity.
  func takesAddress(_ usually: Bool) -> Bool { trustsEveryProvider || usually }

  /// Returns true if a credential links to an account by its unverified address without a take-over.
  func linksUnverified(by key: IdentityKey) -> Bool {
    keepsVendorsAtTakeOver && key.provider == .emailLink
  }

  /// Tells whether an account whose uid the app chose stays with the app's user.
  func leaves(_ isNamedByApp: Bool) -> Bool { isNamedByApp && !keepsVendorsAtTakeOver }

  /// Returns the identities that a take-over removes, given those that do not prove the address.
  func removed(from account: Account, _ unproven: [IdentityKey]) -> [IdentityKey] {
    guard keepsVendorsAtTakeOver else { return unproven }
    return account.identities.keys.filter { [.password, .phone].contains($0.provider) }
  }

  /// Returns the second factors that survive a take-over.
  func factorsKept(of account: Account) -> [SecondFactor] {
    keepsVendorsAtTakeOver ? account.secondFactors : []
  }

  /// Tells whether a reset creates an account beside one whose uid the app chose.
  func opensBeside(_ usually: Bool) -> Bool { usually && !resetRemovesVendors }

  /// Removes what a reset takes from an account.
  func reset(_ account: inout Account, usually remove: (inout Account) -> Void) {
    guard resetRemovesVendors else { return remove(&account) }
    account.identities.removeAll {
      ![ProviderID.password, .phone, .emailLink].contains($0.provider)
    }
  }
}

// MARK: Linking and unlinking

extension EmulatorQuirks {
  /// Tells whether an identity replaces another one of its provider.
  func replaces(_ usually: Bool) -> Bool { replacesLinkedProvider || usually }

  /// Tells whether another subject of a provider with the same address is another person.
  func isOther(_ usually: Bool) -> Bool { usually && !replacesLinkedProvider }

  /// Tells whether a linked identity may be linked again; nil leaves it to the rules.
  func allowsRelinking(_ key: IdentityKey, onWord: Bool) -> Bool? {
    guard replacesLinkedProvider else { return nil }
    if key.provider == .passkey { return false }
    return onWord || [.password, .phone, .emailLink].contains(key.provider)
  }

  /// Refuses a password for the account's own address.
  func refusal(
    ofLinking identity: VerifiedIdentity, to account: Account, _ trace: inout Trace
  ) -> AuthError? {
    guard refusesOwnEmail, identity.provider == .password, let email = identity.email,
      email.matches(account.email)
    else { return nil }
    trace.note("account's e-mail", ["e-mail": email.canonical], "it is this account's own")
    return .emailAlreadyInUse
  }

  /// Tells whether a caller may assert identities without a credential.
  func believes(_ caller: Caller) -> Bool { caller.isAdmin || believesClients }

  /// Tells whether an assertion moves an identity of another account.
  func moves(_ key: IdentityKey) -> Bool { movesAssertedIdentities && key.provider != .passkey }

  /// Tells whether removing a provider also removes the address.
  func removesAddress(with provider: ProviderID) -> Bool {
    unlinkingPasswordRemovesEmail && provider == .password
  }

  /// Tells whether removing a provider without identities is no error.
  func passesOver(_ isOptional: Bool) -> Bool { isOptional || ignoresUnlinkedProviders }

  /// Returns the permission to remove the last way to sign in.
  func permission(isForced: Bool) -> WaysIn.Permission {
    WaysIn.Permission(isForced: isForced, isUsual: allowsUnlinkingLastMethod)
  }

  /// Returns the providers by which ways to sign in are judged; nil for the emulator, whose providers are not all
  /// registered.
  func known(_ providers: ProviderRegistry) -> ProviderRegistry? {
    allowsUnlinkingLastMethod ? nil : providers
  }

  /// Returns the occasion on which a profile is taken over; nil if the profile stays.
  func heard(_ occasion: ProfileOccasion) -> ProfileOccasion? {
    guard replacesProfileAtAutoLink else { return occasion }
    return switch occasion {
    case .autoLink, .takeOver: .takeOver
    case .signIn, .link: nil
    }
  }

  /// Returns the anonymous account whose upgrade the app is asked about.
  func asked(_ upgrade: AccountID?) -> AccountID? { upgradesUnasked ? nil : upgrade }
}

// MARK: Sessions

extension EmulatorQuirks {
  /// Runs a function that ends sessions.
  func ending(_ end: () -> Void) {
    if !keepsSessions { end() }
  }

  /// Restores the sessions of an account.
  func keepSessions(of old: Account, in new: inout Account) {
    guard keepsSessions else { return }
    (new.validSince, new.generation) = (old.validSince, old.generation)
  }

  /// Tells whether a session is over.
  func isOver(_ usually: Bool) -> Bool { usually && !keepsSessions }

  /// Tells whether a session continues without a second factor that was enrolled after it began.
  func goesOn(by path: SignInPath, with provider: ProviderID) -> Bool {
    (keepsSessions && path == .renewal)
      || (linksBeforeSecondFactor && path == .link && provider == .password)
  }

  /// Returns the decision that is carried out although a second factor is still to be shown.
  func savedEarly(_ decision: Decision) -> Decision {
    guard linksBeforeSecondFactor, case .secondFactor(_, let then) = decision else {
      return decision
    }
    return switch then {
    case .autoLink, .takeOver, .link: then
    default: decision
    }
  }

  /// Tells whether the session of a change that was carried out waits for a second factor.
  func waits(_ session: CredentialSession, by provider: ProviderID, for account: Account) -> Bool {
    guard linksBeforeSecondFactor, !account.secondFactors.isEmpty else { return false }
    return !goesOn(by: session.path, with: provider)
      && !account.secondFactors.contains { $0.id == session.factor?.id }
  }

  /// Returns the time at which a session counts as begun.
  func beginning(_ usual: Timestamp, signedInAt: Timestamp) -> Timestamp {
    keepsSessions ? signedInAt : usual
  }

  /// Tells whether a session is accepted whatever its age and factors.
  func takesSession(of caller: Caller, _ trace: inout Trace) -> Bool {
    guard !asksForRecentLogin else { return false }
    trace.note("authority", ["caller": caller.actor], "its own session, however old")
    return true
  }

  /// Tells whether a session is recent.
  func isRecent(_ usually: Bool) -> Bool { usually || !asksForRecentLogin }

  /// Returns the refusal for faults that the change would store.
  func fault(_ usual: @autoclosure () -> AuthError?) -> AuthError? {
    asksForRecentLogin ? usual() : nil
  }

  /// Returns the refusal of a second factor for an account with an unverified address.
  func refusal(ofFactorBy caller: Caller) -> AuthError? {
    caller.isAdmin && !asksForRecentLogin ? nil : .unverifiedEmail
  }
}

// MARK: Addresses and passwords

extension EmulatorQuirks {
  /// Keeps the mark of an account without an address as verified: the one that a change states, or the earlier one.
  func keepVerification(
    stated: Bool?, before old: Account?, in verdict: inout Verdict, on snapshot: Snapshot
  ) {
    let written = verdict.changes.inserted + verdict.changes.updated.map(\.new)
    guard verifiesWithoutAddress, verdict.error == nil,
      var account = verdict.account ?? written.first(where: { $0.id == verdict.accountID }),
      account.email == nil
    else { return }
    let isVerified = stated ?? (old?.email == nil && old?.emailVerified == true)
    guard account.emailVerified != isVerified else { return }
    account.emailVerified = isVerified
    verdict.become(account, from: snapshot)
  }

  /// Returns the proof that using a code gives; the emulator has no mailboxes.
  func proof(_ usual: AddressProof) -> AddressProof { movesToUnprovenAddresses ? .none : usual }

  /// Tells whether an identity proves a mailbox.
  func shows(_ mailbox: Bool) -> Bool { mailbox && !movesToUnprovenAddresses }

  /// Returns the refusal of a move to another address.
  func refusal(ofMove usual: AuthError?) -> AuthError? { movesToUnprovenAddresses ? nil : usual }

  /// Returns the addresses whose readers may revert a change.
  func recoverable(_ lost: [LostAddress]) -> [LostAddress] { movesToUnprovenAddresses ? [] : lost }

  /// Returns the address whose reader may revert an update; in the emulator the account's first one.
  func recoverable(from old: Account, to new: Account) -> EmailAddress? {
    guard movesToUnprovenAddresses, let before = old.email, !before.matches(new.email),
      !old.isAnonymous
    else { return nil }
    return new.details.initialEmail ?? before
  }

  /// Throws `operation-not-allowed` if passwords are closed to the caller.
  func checkPasswords(_ settings: SignInSettings, _ caller: Caller) throws(AuthError) {
    if !setsClosedPasswords { try settings.check(.password, by: caller) }
  }
}

// MARK: Codes

extension EmulatorQuirks {
  /// Returns the end of a code, a proof or a pending operation.
  func end(_ usual: Timestamp) -> Timestamp { nothingExpires ? .never : usual }

  /// Runs the checks of codes that can expire: counts and voids.
  func bounding(_ body: () throws -> Void) rethrows {
    if !nothingExpires { try body() }
  }

  /// Returns the number of attempts allowed; nil for no limit.
  func limit(_ usual: Int) -> Int? { nothingExpires ? nil : usual }

  /// Returns the values that are used up together with a proof or a pending operation.
  func uses(_ usual: [OneTimeUse]) -> [OneTimeUse] { nothingExpires ? [] : usual }

  /// Returns the refusal of a used code.
  func used(_ usual: AuthError, unknown: AuthError) -> AuthError {
    nothingExpires ? unknown : usual
  }

  /// Tells whether a refusal ends the code of an operation.
  func ends(_ operation: ActionCode.Operation, refusedBy error: AuthError) -> Bool {
    spendsRefusedCodes && operation == .verifyAndChangeEmail && error.code == .emailAlreadyInUse
  }

  /// Tells whether a code ends with the account's sessions.
  func endsWithSessions(_ usually: Bool) -> Bool { usually && !nothingExpires }

  /// Tells whether a code is void because the account is disabled.
  func isVoid(_ isDisabled: Bool) -> Bool { isDisabled && !nothingExpires }

  /// Tells whether a new second factor's removal code is sent.
  func sendsReverts(_ usually: Bool) -> Bool { usually && !nothingExpires }

  /// Tells whether a caller may learn that no account has an address.
  func tells(_ isAdmin: Bool) -> Bool { isAdmin && !nothingExpires }

  /// True if a code is made even for an unknown address, so that the answer takes as long.
  var makesDecoyCodes: Bool { !nothingExpires }

  /// Returns the account that a code is for; in the emulator the one that has its address now.
  func owner(
    of found: ActionCodes.Found, in snapshot: Snapshot, usually owner: () -> Account?
  ) -> Account? {
    guard nothingExpires, found.info.operation != .revertSecondFactorAddition else {
      return owner()
    }
    let email = found.info.email
    guard found.info.operation == .recoverEmail else {
      return snapshot.accounts(.email(email)).first
    }
    let account = found.account.flatMap { snapshot.accounts[$0] }
    return account?.details.initialEmail?.matches(email) == true ? account : nil
  }

  /// Throws `operation-not-allowed` if only their recipients may see open codes.
  func checkListing() throws(AuthError) {
    guard nothingExpires else { throw .notAllowed("Only their recipients may see open codes.") }
  }
}
