import AuthCore

/// A history that a search begins with, to reach states that need many steps.
package enum StartingWorld: String, CaseIterable, Sendable {
  case empty
  /// An owner with a verified address, a password and a vendor.
  case owner
  /// A stranger has the owner's address with a password, and a code that restores an own address.
  case squatted
  /// A user of the app has another person's address.
  case squattedByAppUser
  /// The same, in an account that absorbed the app user's.
  case squattedByMerge
  /// An owner's address was changed, and the mailbox has a code that restores it.
  case moved
  /// A stranger's account with a password shares its address with the owner's.
  case beside
  /// A stranger's account without an address has a second factor, and another one has another person's address.
  case enrolled
  /// An owner signs in with a vendor whose settings an admin removed.
  case forgotten
  /// There is an anonymous account, and the app accepts no new persons.
  case doorsClosed
  /// One person has two accounts, one of which absorbed the other.
  case merged

  /// The steps; the first has the number 1.
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
