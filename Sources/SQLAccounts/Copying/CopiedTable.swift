/// A table that is part of a copy of a store, with the columns that all engines know.
package struct CopiedTable: Sendable {
  package struct Column: Sendable {
    package let name: String
    package let isInteger: Bool
  }

  package let name: String
  package let columns: [Column]
  /// The positions of the primary key's columns.
  package let key: [Int]
  /// The positions of the columns by which SQLite orders the table's rows.
  package let order: [Int]
  /// The table that has to hold a row's parent first.
  package let parent: String?
  /// The columns of a second unique key, which begins with the scope.
  package let uniqueKey: [String]

  /// Takes column names separated by spaces; `#` marks a number.
  ///
  /// The order defaults to the key.
  private init(
    _ name: String, _ columns: String, key: String, order: String? = nil, parent: String? = nil,
    uniqueKey: String = ""
  ) {
    let columns = columns.split(separator: " ").map {
      Column(name: String($0.filter { $0 != "#" }), isInteger: $0.hasSuffix("#"))
    }
    func positions(_ names: String) -> [Int] {
      names.split(separator: " ").compactMap { name in columns.firstIndex { $0.name == name } }
    }
    self.name = name
    self.columns = columns
    self.key = positions(key)
    self.order = positions(order ?? key)
    self.parent = parent
    self.uniqueKey = uniqueKey.split(separator: " ").map(String.init)
  }

  package var columnList: String { columns.map(\.name).joined(separator: ", ") }
  package var keyColumns: [Column] { key.map { columns[$0] } }

  /// Every table, with parents before their children.
  package static let all = [
    CopiedTable("settings", "project tenant revision# json", key: "project tenant"),
    CopiedTable("checkpoints", "project tenant name value", key: "project tenant name"),
    CopiedTable(
      "accounts",
      """
      project tenant uid revision# email email_canonical email_verified# verified_email display_name photo_url phone \
      disabled# is_anonymous# custom_claims created_at# last_sign_in_at# valid_since# last_refresh_at# details \
      ownership# generation#
      """, key: "project tenant uid", uniqueKey: "project tenant verified_email"),
    CopiedTable(
      "identities",
      """
      project tenant uid position# provider issuer subject email display_name photo_url phone email_verified# origin \
      linked_at# last_sign_in_at# secret secret_changed_at# screen_name successor# rekey replaced_until# \
      former_place# language date_of_birth
      """, key: "project tenant uid position", parent: "accounts",
      uniqueKey: "project tenant provider subject issuer"),
    CopiedTable(
      "second_factors",
      "project tenant uid position# id phone display_name enrolled_at secret secret_changed_at#",
      key: "project tenant uid position", parent: "accounts"),
    CopiedTable(
      "search_terms", "project tenant place# term uid", key: "project tenant place term uid"),
    CopiedTable("aliases", "project tenant absorbed survivor", key: "project tenant absorbed"),
    CopiedTable(
      "events",
      """
      sequence# project tenant id at# actor reason action account related error_code details trace
      """, key: "project tenant sequence", order: "sequence", uniqueKey: "project tenant id"),
    CopiedTable(
      "event_accounts", "project tenant uid sequence#", key: "project tenant uid sequence"),
    CopiedTable(
      "outbox", "sequence# event_project event_tenant attempts# next_attempt_at# is_dead#",
      key: "sequence"),
    CopiedTable(
      "merges", "number# project tenant id at# survivor absorbed state json ended_at#",
      key: "project tenant id", order: "number"),
    CopiedTable("policy_decisions", "project tenant id at# json", key: "project tenant id"),
    CopiedTable(
      "one_time_records", "project tenant id kind account expires_at# attempts# content",
      key: "project tenant id"),
    CopiedTable("sessions", "project tenant id uid json", key: "project tenant id"),
  ]

  package static func named(_ name: String) -> CopiedTable? { all.first { $0.name == name } }
}

/// The values of a row, in the order of its table's columns.
package typealias CopiedRow = [SQLValue]

extension [SQLValue] {
  package func at(_ positions: [Int]) -> [SQLValue] { positions.map { self[$0] } }

  /// Bytes that are equal for two rows only if the rows are equal byte for byte.
  ///
  /// Comparing strings is not enough: two encodings of é are equal to Swift and two subjects to a provider.
  package var exactBytes: [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count * 16)
    append(to: &bytes)
    return bytes
  }

  package func append(to bytes: inout [UInt8]) {
    for value in self {
      switch value {
      case .null: bytes.append(0)
      case .integer(let number):
        bytes.append(1)
        Swift.withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
      case .string(let text):
        bytes.append(2)
        Swift.withUnsafeBytes(of: UInt32(text.utf8.count).bigEndian) {
          bytes.append(contentsOf: $0)
        }
        bytes.append(contentsOf: text.utf8)
      }
    }
  }
}
