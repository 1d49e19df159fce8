/// Up to three accounts that a question's keys find, or that it names, as three numbers in order; 0 stands for none.
///
/// A number is the place of an account in the ``AccountTable``, counted from 1, and three bits of roles.
struct SmallSnapshot: Sendable {
  let slots: [UInt32]
  /// The number of snapshots that differ from it by names alone, itself included.
  let orbit: Int
}

/// What an account is to a question.
enum Role {
  /// The account that the question names.
  static let target: UInt32 = 1
  /// The account whose session asks, if it is another one.
  static let asker: UInt32 = 2
  /// The account whose second factor is shown.
  static let shown: UInt32 = 4

  /// The roles among what one account of a snapshot has at most.
  static func alone(_ roles: UInt32) -> UInt16 { UInt16(roles) << 10 }
}

/// An account that may be one of a snapshot, for one question.
struct Candidate: Sendable {
  let slot: UInt32
  /// What one account of a snapshot has at most: keys, and above them roles.
  let alone: UInt16
  let weight: Int
}

extension Question {
  /// The roles that accounts of its snapshots have, whatever else they are.
  var needed: UInt16 {
    (changesAccount ? Role.alone(Role.target) : 0)
      | (asker == .other ? Role.alone(Role.asker) : 0)
  }

  /// The accounts of its snapshots in all their roles, the light ones first.
  func candidates(weight: Int) -> [Candidate] {
    let table = AccountTable.shared
    let isShared = settings.contains(.sharedAddresses)
    let isMany = settings.contains(.manyIdentities)
    let asked = keys
    var found: [Candidate] = []
    for place in 0..<table.end(weight) {
      let row = table.rows[place]
      guard isMany || !row.hasSeveral else { continue }
      let isFound = row.keys & asked != 0
      let ownings = isShared ? row.owningsIfShared : row.ownings
      func add(_ roles: UInt32) {
        found.append(
          Candidate(
            slot: UInt32(place + 1) << 3 | roles, alone: ownings | Role.alone(roles),
            weight: row.weight))
        if row.isGuarded && takesProof && roles & Role.shown == 0 { add(roles | Role.shown) }
      }
      if isFound { add(0) }
      // A session has shown a factor of an account that has one.
      if hasTarget && (row.isGuarded || asker != .recentWithFactor) { add(Role.target) }
      if asker == .other && isFound { add(Role.asker) }
    }
    return found
  }
}
