import AuthCore

/// A fault that a search has to find, planted around the rules and never in them.
package enum PlantedFault: String, CaseIterable, Sendable {
  // Things that a store forgets, or makes of a change.
  /// A new owner's account keeps the mark of the old owner.
  case oldOwnersCodes
  /// Sessions are never ended.
  case endlessSessions
  /// A new owner's account keeps the ways in of the old owner.
  case oldOwnersWaysIn
  /// A password stays where another account's owner has shown its address.
  case unyieldingPasswords
  /// The link of an address stays when the account gets another address.
  case hiddenLinks
  /// Nothing remembers that the app names an account.
  case forgottenAppUsers
  /// The uids that an account absorbed go on leading to it, whoever has it, and also if it is gone.
  case lastingAliases
  /// The passwords of an absorbed account come along, whatever the merge decided.
  case absorbedPasswords
  /// A merge gives the account that has no address the other one's, shown or not.
  case absorbedAddresses
  /// Second factors are not read.
  case forgottenFactors
  /// An address that nobody has shown is in the way of whoever shows it.
  case unshownAddressesCount
  /// Nobody is found by a vendor's subject, and one may have several owners.
  case secondOwners

  // Settings of a process or a provider.
  /// Another issuer's subjects are the same people.
  case issuersAlike
  case trustsEveryProvider
  case keepsVendorsAtTakeOver
  case allowsUnlinkingLastMethod
  case movesToUnprovenAddresses
  case upgradesUnasked

  /// The kind of fault, by the names of its tests.
  package var kinds: String {
    switch self {
    case .oldOwnersCodes: "F1"
    case .endlessSessions: "S3"
    case .oldOwnersWaysIn, .keepsVendorsAtTakeOver: "S2"
    case .unyieldingPasswords: "S6, F10"
    case .hiddenLinks: "F6"
    case .forgottenAppUsers: "F2"
    case .lastingAliases: "F2, F13"
    case .absorbedPasswords: "S8"
    case .absorbedAddresses: "S7"
    case .forgottenFactors: "a second factor"
    case .unshownAddressesCount: "F3"
    case .allowsUnlinkingLastMethod: "F12"
    case .issuersAlike: "F20"
    case .movesToUnprovenAddresses: "F4"
    case .upgradesUnasked: "F5"
    case .secondOwners: "an owner"
    case .trustsEveryProvider: "a vendor's word"
    }
  }

  /// The starting world in which the fault is near.
  package var start: StartingWorld {
    switch self {
    case .oldOwnersCodes, .endlessSessions, .oldOwnersWaysIn: .squatted
    case .keepsVendorsAtTakeOver: .squatted
    case .unyieldingPasswords: .beside
    case .hiddenLinks, .trustsEveryProvider, .movesToUnprovenAddresses: .owner
    case .allowsUnlinkingLastMethod, .secondOwners: .empty
    case .upgradesUnasked: .doorsClosed
    case .forgottenAppUsers: .squattedByAppUser
    case .lastingAliases: .squattedByMerge
    case .absorbedPasswords: .owner
    case .absorbedAddresses, .forgottenFactors: .enrolled
    case .unshownAddressesCount: .moved
    case .issuersAlike: .forgotten
    }
  }

  /// The number of steps from there within which each of them breaks something.
  package static let depth = 2

  /// The rules' behaviour with the fault.
  var quirks: EmulatorQuirks {
    var quirks = EmulatorQuirks.production
    switch self {
    case .trustsEveryProvider: quirks.trustsEveryProvider = true
    case .keepsVendorsAtTakeOver: quirks.keepsVendorsAtTakeOver = true
    case .allowsUnlinkingLastMethod: quirks.allowsUnlinkingLastMethod = true
    case .movesToUnprovenAddresses: quirks.movesToUnprovenAddresses = true
    case .upgradesUnasked: quirks.upgradesUnasked = true
    default: break
    }
    return quirks
  }
}
