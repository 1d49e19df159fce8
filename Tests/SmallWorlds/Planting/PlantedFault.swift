import AuthCore

/// A fault that a search has to find, planted around the rules and never in them.
package enum PlantedFault: String, CaseIterable, Sendable {
  // Faults of a store: lost or altered changes.
  /// A new owner's account keeps the mark of the old owner.
  case oldOwnersCodes
  /// Sessions are never revoked.
  case endlessSessions
  /// A new owner's account keeps the old owner's identities.
  case oldOwnersWaysIn
  /// A password remains after another account's owner has proved its address.
  case unyieldingPasswords
  /// The link of an address remains when the account gets another address.
  case hiddenLinks
  /// The app's naming of an account is not stored.
  case forgottenAppUsers
  /// The uids that an account absorbed stay its aliases, even after it is deleted or has a new owner.
  case lastingAliases
  /// The passwords of an absorbed account are kept, whatever the merge decided.
  case absorbedPasswords
  /// A merge gives an account without an address the other one's, proven or not.
  case absorbedAddresses
  /// Second factors are not read.
  case forgottenFactors
  /// An unproven address blocks the person who proves it.
  case unshownAddressesCount
  /// No account is found by a vendor's subject, so a subject may get several owners.
  case secondOwners

  // Faults of a process's or a provider's settings.
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

  /// A starting world that is close to the fault.
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

  /// The number of steps from there within which each fault shows.
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
