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
  /// A custom token opens a session without the second factor.
  public var skipsFactorForCustomTokens = false
  /// Second factors that are off in the settings are not asked for.
  public var skipsClosedFactors = false
  /// True under settings that close second factors.
  var skipsFactors = false
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
    quirks.skipsFactorForCustomTokens = true
    quirks.skipsClosedFactors = true
    quirks.spendsRefusedCodes = true
    quirks.movesToUnprovenAddresses = true
    quirks.setsClosedPasswords = true
    quirks.replacesProfileAtAutoLink = true
    return quirks
  }
}
