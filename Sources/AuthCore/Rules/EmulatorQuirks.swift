/// What Firebase's emulator does otherwise than production.
///
/// The rules decide as production does, and ask here at the points at which the emulator is known to differ. Each
/// function gives back what was decided, unless its quirk is on; no quirk is read anywhere else. Quirks are not stored:
/// they are properties of the process that serves, and each gives up protection for the sake of tests that were written
/// against the emulator.
public struct EmulatorQuirks: Hashable, Sendable {
  /// A provider's claim that it verified an address counts, whoever it is.
  public var trustsEveryProvider = false
  /// A take-over leaves the identities of other vendors where they are.
  public var keepsVendorsAtTakeOver = false
  /// Another subject of a provider that is linked already replaces the first one.
  public var replacesLinkedProvider = false
  /// Taking the password away takes the address with it.
  public var unlinkingPasswordRemovesEmail = false
  /// Sensitive changes need no recent sign-in, nor the second factor again.
  public var asksForRecentLogin = true
  /// The last way in may go.
  public var allowsUnlinkingLastMethod = false
  /// Codes, proofs and sessions do not end with their time, and guesses are not counted.
  public var nothingExpires = false
  /// Enrolling or withdrawing a second factor, and taking a way in away, end no session.
  public var keepsSessions = false
  /// Linking an own address as a password is refused as `email-already-in-use`.
  public var refusesOwnEmail = false
  /// Confirming a password reset takes every vendor's identity away.
  public var resetRemovesVendors = false
  /// Clients may link identities and replace second factors on their word alone, as admins may.
  public var believesClients = false
  /// Taking away what is not linked changes nothing and is no error.
  public var ignoresUnlinkedProviders = false
  /// A session may move its account to an address that nobody has shown, and no link tells the old mailbox.
  public var movesToUnprovenAddresses = false
  /// A session may set a password although signing in with one is closed.
  public var setsClosedPasswords = false
  /// An identity that an admin asserts comes over from the account that has it.
  public var movesAssertedIdentities = false
  /// An identity that is linked by its address replaces the profile, and clears what its provider does not say; no
  /// other sign-in changes it.
  public var replacesProfileAtAutoLink = false

  /// An anonymous account becomes a person's without `before_create`.
  public var upgradesUnasked = false

  public init() {}

  /// No quirk.
  public static let production = EmulatorQuirks()

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

  /// The setting that a trace names.
  func named(_ trust: String) -> String {
    trustsEveryProvider ? "every provider is trusted" : trust
  }

  /// Whether an account without an address takes the one of an identity that is linked.
  func takesAddress(_ usually: Bool) -> Bool { trustsEveryProvider || usually }

  /// Whether a credential links to the account with its unverified address, and nothing goes.
  func linksUnverified(by key: IdentityKey) -> Bool {
    keepsVendorsAtTakeOver && key.provider == .emailLink
  }

  /// Whether an account that the app names is left to the app.
  func leaves(_ isNamedByApp: Bool) -> Bool { isNamedByApp && !keepsVendorsAtTakeOver }

  /// The identities that a take-over removes, given those that do not prove the address.
  func removed(from account: Account, _ unproven: [IdentityKey]) -> [IdentityKey] {
    guard keepsVendorsAtTakeOver else { return unproven }
    return account.identities.keys.filter { [.password, .phone].contains($0.provider) }
  }

  /// The second factors that outlast a take-over.
  func factorsKept(of account: Account) -> [SecondFactor] {
    keepsVendorsAtTakeOver ? account.secondFactors : []
  }

  /// Whether a reset opens an account beside one that the app names.
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
  /// Whether an identity takes the place of another one of its provider.
  func replaces(_ usually: Bool) -> Bool { replacesLinkedProvider || usually }

  /// Whether another subject of a provider with the same address is another person.
  func isOther(_ usually: Bool) -> Bool { usually && !replacesLinkedProvider }

  /// Whether what is linked already may be linked once more; nil leaves it to the rules.
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

  /// Whether a caller is believed who owns what, without a credential.
  func believes(_ caller: Caller) -> Bool { caller.isAdmin || believesClients }

  /// Whether an assertion moves an identity that another account has.
  func moves(_ key: IdentityKey) -> Bool { movesAssertedIdentities && key.provider != .passkey }

  /// Whether a provider takes the address with it.
  func removesAddress(with provider: ProviderID) -> Bool {
    unlinkingPasswordRemovesEmail && provider == .password
  }

  /// Whether a provider that is not linked is passed over.
  func passesOver(_ isOptional: Bool) -> Bool { isOptional || ignoresUnlinkedProviders }

  /// The permission to lose the last way in.
  func permission(isForced: Bool) -> WaysIn.Permission {
    WaysIn.Permission(isForced: isForced, isUsual: allowsUnlinkingLastMethod)
  }

  /// The providers that ways in are judged by; nil for the emulator, some of whose providers stand in no registry.
  func known(_ providers: ProviderRegistry) -> ProviderRegistry? {
    allowsUnlinkingLastMethod ? nil : providers
  }

  /// The occasion at which a profile is heard; nil if it is not.
  func heard(_ occasion: ProfileOccasion) -> ProfileOccasion? {
    guard replacesProfileAtAutoLink else { return occasion }
    return switch occasion {
    case .autoLink, .takeOver: .takeOver
    case .signIn, .link: nil
    }
  }

  /// The anonymous account of whose becoming a person's the app is asked.
  func asked(_ upgrade: AccountID?) -> AccountID? { upgradesUnasked ? nil : upgrade }
}

// MARK: Sessions

extension EmulatorQuirks {
  /// Ends sessions.
  func ending(_ end: () -> Void) {
    if !keepsSessions { end() }
  }

  /// Gives an account back the sessions that it had.
  func keepSessions(of old: Account, in new: inout Account) {
    guard keepsSessions else { return }
    (new.validSince, new.generation) = (old.validSince, old.generation)
  }

  /// Whether a session is over.
  func isOver(_ usually: Bool) -> Bool { usually && !keepsSessions }

  /// Whether a session goes on without a second factor that was enrolled after it began.
  func goesOn(by path: SignInPath) -> Bool { keepsSessions && path == .renewal }

  /// The time at which a session counts as begun.
  func beginning(_ usual: Timestamp, signedInAt: Timestamp) -> Timestamp {
    keepsSessions ? signedInAt : usual
  }

  /// Whether a session is taken however old it is, and whatever it has shown.
  func takesSession(of caller: Caller, _ trace: inout Trace) -> Bool {
    guard !asksForRecentLogin else { return false }
    trace.note("authority", ["caller": caller.actor], "its own session, however old")
    return true
  }

  /// Whether a session is a recent one.
  func isRecent(_ usually: Bool) -> Bool { usually || !asksForRecentLogin }

  /// The fault of accounts as they would be written.
  func fault(_ usual: @autoclosure () -> AuthError?) -> AuthError? {
    asksForRecentLogin ? usual() : nil
  }

  /// Refuses a second factor to an account whose address is not verified.
  func refusal(ofFactorBy caller: Caller) -> AuthError? {
    caller.isAdmin && !asksForRecentLogin ? nil : .unverifiedEmail
  }
}

// MARK: Addresses and passwords

extension EmulatorQuirks {
  /// What using a code shows; the emulator has no mailboxes.
  func proof(_ usual: AddressProof) -> AddressProof { movesToUnprovenAddresses ? .none : usual }

  /// Whether an identity shows a mailbox.
  func shows(_ mailbox: Bool) -> Bool { mailbox && !movesToUnprovenAddresses }

  /// Refuses a move to another address.
  func refusal(ofMove usual: AuthError?) -> AuthError? { movesToUnprovenAddresses ? nil : usual }

  /// The addresses whose readers may take a change back.
  func recoverable(_ lost: [LostAddress]) -> [LostAddress] { movesToUnprovenAddresses ? [] : lost }

  /// The address whose reader may take an update back; in the emulator the first that the account had.
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
  /// The time at which a code, a proof or what waits ends.
  func end(_ usual: Timestamp) -> Timestamp { nothingExpires ? .never : usual }

  /// Does what codes need that end before their use: counts, and voids.
  func bounding(_ body: () throws -> Void) rethrows {
    if !nothingExpires { try body() }
  }

  /// The number of attempts that are allowed; nil does not count them.
  func limit(_ usual: Int) -> Int? { nothingExpires ? nil : usual }

  /// What is used up together with a proof, or with what waits.
  func uses(_ usual: [OneTimeUse]) -> [OneTimeUse] { nothingExpires ? [] : usual }

  /// The refusal of a code that was used.
  func used(_ usual: AuthError, unknown: AuthError) -> AuthError {
    nothingExpires ? unknown : usual
  }

  /// Whether a code ends with the account's sessions.
  func endsWithSessions(_ usually: Bool) -> Bool { usually && !nothingExpires }

  /// Whether a code is void because the account is disabled.
  func isVoid(_ isDisabled: Bool) -> Bool { isDisabled && !nothingExpires }

  /// Whether a code is sent that takes a new second factor away.
  func sendsReverts(_ usually: Bool) -> Bool { usually && !nothingExpires }

  /// Whether a caller is told that nobody has an address.
  func tells(_ isAdmin: Bool) -> Bool { isAdmin && !nothingExpires }

  /// Whether a code is made for an address that nobody has, so that the answer takes as long.
  var makesCodesForNobody: Bool { !nothingExpires }

  /// The account that a code is for; in the emulator the one that has its address now.
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

  /// Throws `operation-not-allowed` if nobody but their recipients may have open codes.
  func checkListing() throws(AuthError) {
    guard nothingExpires else { throw .notAllowed("Open codes are their recipients' alone.") }
  }
}
