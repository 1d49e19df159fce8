/// How far the rules follow Firebase's emulator where it is known to differ from production.
///
/// Not stored: it is a property of the process that serves, and everything but ``production`` gives up
/// protection for the sake of tests that were written against the emulator.
public struct LinkingBehavior: Hashable, Sendable {
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

  public static let production = LinkingBehavior()

  public static var emulator: LinkingBehavior {
    var behavior = LinkingBehavior()
    behavior.trustsEveryProvider = true
    behavior.keepsVendorsAtTakeOver = true
    behavior.replacesLinkedProvider = true
    behavior.unlinkingPasswordRemovesEmail = true
    behavior.asksForRecentLogin = false
    behavior.allowsUnlinkingLastMethod = true
    behavior.nothingExpires = true
    behavior.keepsSessions = true
    behavior.refusesOwnEmail = true
    behavior.resetRemovesVendors = true
    behavior.believesClients = true
    behavior.ignoresUnlinkedProviders = true
    behavior.movesAssertedIdentities = true
    behavior.upgradesUnasked = true
    behavior.movesToUnprovenAddresses = true
    behavior.setsClosedPasswords = true
    behavior.replacesProfileAtAutoLink = true
    return behavior
  }
}
