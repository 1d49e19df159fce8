import AuthCore

/// A history with which a search begins, so that it gets into what takes long to come about.
package enum StartingWorld: String, CaseIterable, Sendable {
  case empty
  /// An owner with a verified address, a password and a vendor.
  case owner
  /// A stranger has the owner's address with a password, and a code that takes an own address back.
  case squatted
  /// A user of the app has somebody else's address.
  case squattedByAppUser
  /// The same in an account that absorbed the app's.
  case squattedByMerge
  /// An owner's address is gone from the account, and the mailbox has a code that takes it back.
  case moved
  /// A stranger's account with a password beside the owner's, which share the address.
  case beside
  /// A stranger's account without an address, behind a second factor, and one with somebody else's address.
  case enrolled
  /// An owner by a vendor whose settings an admin forgot.
  case forgotten
  /// An anonymous account, and an app that lets nobody new in.
  case doorsClosed
  /// Two accounts of one person, of which one absorbed the other.
  case merged

  /// Its steps, of which the first has the number 1.
  package var steps: [Step] {
    let (ada, bobs) = (
      Mailbox(owner: .ada, kind: .home), Mailbox(owner: .bob, kind: .home)
    )
    return switch self {
    case .empty: []
    case .owner:
      [.linkAtOnce(ada), .linkPassword(1, ada), .linkVendor(2, .team, ada)]
    case .squatted:
      [
        .vendor(.bob, .honest, bobs), .setEmail(1, nil), .vendor(.bob, .honest, nil),
        .linkPassword(3, ada),
      ]
    case .squattedByAppUser: [.appUser(.bob), .linkPassword(1, ada)]
    case .squattedByMerge: [.appUser(.bob), .signUp(.bob, ada), .merge(1, into: 2)]
    case .moved: [.vendor(.ada, .honest, ada), .setEmail(1, nil)]
    case .beside:
      [.signUp(.bob, ada), .oneAccountPerEmail(false), .vendor(.ada, .honest, ada)]
    case .enrolled: [.vendor(.bob, .honest, nil), .enroll(1), .signUp(.bob, ada)]
    case .forgotten: [.vendor(.ada, .team, ada), .forgetTeam]
    case .doorsClosed: [.anonymous(.ada), .closeDoors(true)]
    case .merged: [.linkAtOnce(ada), .vendor(.ada, .team, nil), .merge(2, into: 1)]
    }
  }
}
