import AuthCore

/// A replaced identity as a row of its own.
struct PredecessorRow: Equatable {
  /// The position, which is negative; the identities that this one replaced have lower positions.
  let position: Int
  /// The position of the replacement.
  let successor: Int
  let value: Predecessor

  static let columns = "successor, rekey, replaced_until, former_place"

  var values: [SQLValue] {
    [
      .integer(Int64(successor)), .text(value.rekey), .time(value.until),
      value.place.map { .integer(Int64($0)) } ?? .null,
    ]
  }
}

extension Account {
  /// The rows of all replaced identities, in the order of their positions from -1 down.
  var predecessorRows: [PredecessorRow] {
    var rows: [PredecessorRow] = []
    func add(_ predecessors: [Predecessor], of successor: Int) {
      for predecessor in predecessors {
        let position = -1 - rows.count
        rows.append(
          PredecessorRow(position: position, successor: successor, value: predecessor))
        add(predecessor.identity.predecessors, of: position)
      }
    }
    for position in identities.indices where !identities[position].predecessors.isEmpty {
      add(identities[position].predecessors, of: position)
    }
    return rows
  }
}

/// Collects the identities of one account from its rows.
///
/// Rows come in the order of their positions, so replaced identities come first. Most accounts have none.
struct IdentityRows {
  static let columns =
    "\(IdentityColumns.key), \(IdentityColumns.plain), position, \(PredecessorRow.columns)"
  /// The number of columns.
  static let count = 21

  private struct Replaced {
    let identity: Identity
    let position: Int
    let rekey: String?
    let until: Timestamp?
    let place: Int?
  }

  private(set) var identities: [Identity] = []
  private var replaced: [Int: [Replaced]] = [:]
  private let likely: LikelyTexts

  init(of account: Account) {
    likely = LikelyTexts(of: account)
  }

  mutating func add(_ row: any SQLRow) throws {
    let position = Int(try row.integer(16))
    guard position >= 0 else {
      let one = Replaced(
        identity: try .read(row, likely: likely), position: position, rekey: try row.text(18),
        until: try row.time(19), place: try row.optionalInteger(20).map { Int($0) })
      // The most recent one comes first.
      replaced[Int(try row.integer(17)), default: []].insert(one, at: 0)
      return
    }
    // Few accounts have more, and growing the array would move large values.
    if identities.isEmpty { identities.reserveCapacity(4) }
    identities.append(try .read(row, likely: likely))
    if !replaced.isEmpty {
      identities[identities.count - 1].predecessors = try predecessors(of: position)
    }
  }

  private func predecessors(of position: Int) throws -> [Predecessor] {
    try (replaced[position] ?? []).map { one in
      // A row that precedes its replacement could form a cycle.
      guard let rekey = one.rekey, let until = one.until, one.position < position else {
        throw DamagedRow(column: 17)
      }
      var identity = one.identity
      identity.predecessors = try predecessors(of: one.position)
      return Predecessor(identity: identity, rekey: rekey, until: until, place: one.place)
    }
  }
}
