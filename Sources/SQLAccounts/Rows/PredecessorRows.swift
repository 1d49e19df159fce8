import AuthCore

/// An identity that was replaced, as a row of its own.
struct PredecessorRow: Equatable {
  /// Below zero; each is above those that it replaced itself.
  let position: Int
  /// The position of what replaced it.
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
  /// Every identity that was replaced, in the order of their positions from -1 down.
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
    for (position, identity) in identities.enumerated() where !identity.predecessors.isEmpty {
      add(identity.predecessors, of: position)
    }
    return rows
  }
}

/// A row of the table of identities, whether it was replaced or not.
struct IdentityRow {
  static let columns =
    "\(IdentityColumns.key), \(IdentityColumns.plain), position, \(PredecessorRow.columns)"
  /// How many columns these are.
  static let count = 21

  let identity: Identity
  let position: Int
  private let successor: Int?
  private let rekey: String?
  private let until: Timestamp?
  private let place: Int?

  init(_ row: any SQLRow) throws {
    identity = try Identity(row)
    position = Int(try row.integer(16))
    let isPredecessor = position < 0
    successor = isPredecessor ? Int(try row.integer(17)) : nil
    rekey = try row.text(18)
    until = try row.time(19)
    place = try row.optionalInteger(20).map { Int($0) }
  }

  /// The identities of an account from its rows, which come in the order of their positions.
  static func identities(_ rows: [IdentityRow]) throws -> [Identity] {
    guard let first = rows.first, first.position < 0 else { return rows.map(\.identity) }
    let replaced = rows.filter { $0.position < 0 }.reversed()
    let bySuccessor = Dictionary(grouping: replaced) { $0.successor ?? 0 }
    return try rows.filter { $0.position >= 0 }.map { try $0.complete(bySuccessor) }
  }

  private func complete(_ replaced: [Int: [IdentityRow]]) throws -> Identity {
    var identity = identity
    identity.predecessors = try (replaced[position] ?? []).map { row in
      // A row that came before what replaced it could lead around in a circle.
      guard let rekey = row.rekey, let until = row.until, row.position < position else {
        throw DamagedRow(column: 17)
      }
      return Predecessor(
        identity: try row.complete(replaced), rekey: rekey, until: until, place: row.place)
    }
    return identity
  }
}
