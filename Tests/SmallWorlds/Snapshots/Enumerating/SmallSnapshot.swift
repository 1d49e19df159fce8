/// Up to three accounts that a question names or finds by its keys, as three ordered numbers; 0 stands for none.
///
/// A number is the account's index in the ``AccountTable``, counted from 1, and three bits of roles.
struct SmallSnapshot: Sendable {
  let slots: [UInt32]
  /// The number of snapshots that differ from it only in names, itself included.
  let orbit: Int
}

/// The role of an account in a question.
enum Role {
  /// The account that the question names.
  static let target: UInt32 = 1
  /// The account of the calling session, if it is another one.
  static let asker: UInt32 = 2
  /// The account whose second factor is shown.
  static let shown: UInt32 = 4

  /// Returns the bits of roles that only one account of a snapshot may have.
  static func alone(_ roles: UInt32) -> UInt16 { UInt16(roles) << 10 }
}

/// A possible account of a question's snapshot.
struct Candidate: Sendable {
  let slot: UInt32
  /// Keys, and above them roles, that only one account of a snapshot may have.
  let alone: UInt16
  let weight: Int
}

extension Question {
  /// The roles that a snapshot's accounts must have.
  var needed: UInt16 {
    (changesAccount ? Role.alone(Role.target) : 0)
      | (asker == .other ? Role.alone(Role.asker) : 0)
  }

  /// Returns the possible accounts of its snapshots in all their roles, in order of weight.
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
      // A session of an account with a factor has shown it.
      if hasTarget && (row.isGuarded || asker != .recentWithFactor) { add(Role.target) }
      if asker == .other && isFound { add(Role.asker) }
    }
    return found
  }
}
