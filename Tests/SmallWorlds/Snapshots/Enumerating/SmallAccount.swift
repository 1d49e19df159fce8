/// An account of a small snapshot in 15 bits, without its uid.
///
/// Its address is one of two; its identities are two subjects of two providers, its password and its e-mail link.
struct SmallAccount: Hashable, Sendable {
  let bits: UInt16

  static let verified: UInt16 = 1 << 2
  static let password: UInt16 = 1 << 9
  static let link: UInt16 = 1 << 10
  static let disabled: UInt16 = 1 << 11
  static let guarded: UInt16 = 1 << 12
  static let anonymous: UInt16 = 1 << 13
  static let named: UInt16 = 1 << 14

  /// 1 or 2; 0 for none.
  var address: Int { Int(bits & 3) }
  var isVerified: Bool { has(Self.verified) }
  var hasPassword: Bool { has(Self.password) }
  var hasLink: Bool { has(Self.link) }
  var isDisabled: Bool { has(Self.disabled) }
  /// True if it has a second factor.
  var isGuarded: Bool { has(Self.guarded) }
  var isAnonymous: Bool { has(Self.anonymous) }
  /// True if the app names it in custom tokens.
  var isNamed: Bool { has(Self.named) }

  /// Returns the linked subjects of a provider: bit 0 for the first, bit 1 for the second.
  func subjects(of provider: Int) -> UInt16 { bits >> (3 + 2 * provider) & 3 }

  /// Tells whether a provider's identities verify the account's address.
  func isVouchedFor(by provider: Int) -> Bool { has(1 << (7 + provider)) }

  private func has(_ flag: UInt16) -> Bool { bits & flag != 0 }
}

extension SmallAccount {
  /// Every account that the linking rules allow, in order of its bits.
  static let all = (0..<(1 << 15) as Range<UInt16>).map(SmallAccount.init).filter(\.isPossible)

  private var isPossible: Bool {
    guard address < 3 else { return false }
    if address == 0 && (isVerified || hasPassword || hasLink) { return false }
    for provider in 0..<2 where isVouchedFor(by: provider) {
      guard address > 0, subjects(of: provider) > 0 else { return false }
    }
    // Such an account would have a factor that its address's owner cannot show.
    if isGuarded && address > 0 && !isVerified { return false }
    return !isAnonymous || bits & ~(Self.disabled | Self.guarded) == Self.anonymous
  }

  /// The number of facts in it: the address, its verification, each identity, each identity's statement, each flag.
  var weight: Int {
    (bits & ~3).nonzeroBitCount + (address > 0 ? 1 : 0)
  }

  /// True if it has several identities of one provider.
  var hasSeveral: Bool { subjects(of: 0) == 3 || subjects(of: 1) == 3 }

  /// Returns the keys that only one account may have.
  ///
  /// These are subjects, passwords and links, and the address if it is verified and not shared.
  func ownings(sharingAddresses: Bool) -> UInt16 {
    var owned = bits >> 3 & 15
    guard address > 0 else { return owned }
    let place = UInt16(address - 1)
    if hasPassword { owned |= Keys.password << place }
    if hasLink { owned |= Keys.link << place }
    if isVerified && !sharingAddresses { owned |= Keys.address << place }
    return owned
  }

  /// The keys that find the account, besides its uid.
  var keys: UInt16 {
    ownings(sharingAddresses: true) | (address > 0 ? Keys.address << UInt16(address - 1) : 0)
  }

  /// Sets of keys in ten bits, the lowest four for subjects.
  enum Keys {
    static let password: UInt16 = 1 << 4
    static let link: UInt16 = 1 << 6
    static let address: UInt16 = 1 << 8

    static func subject(_ subject: Int, of provider: Int) -> UInt16 {
      1 << UInt16(2 * provider + subject)
    }
  }
}
