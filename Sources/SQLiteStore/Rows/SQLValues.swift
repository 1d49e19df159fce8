import AuthCore
import Foundation
import GRDB

/// Values on their way into a statement.
extension DatabaseValue {
  /// A text; one that contains a NUL goes in as a BLOB, because SQLite would cut it off there.
  static func text(_ text: String) -> DatabaseValue {
    text.utf8.contains(0) ? Data(text.utf8).databaseValue : text.databaseValue
  }

  static func text(_ text: String?) -> DatabaseValue { text.map(Self.text) ?? .null }
  static func integer(_ value: Int64) -> DatabaseValue { value.databaseValue }
  static func flag(_ value: Bool) -> DatabaseValue { Int64(value ? 1 : 0).databaseValue }
  static func time(_ time: Timestamp?) -> DatabaseValue {
    time.map { $0.milliseconds.databaseValue } ?? .null
  }
}

extension Scope {
  /// The columns project and tenant.
  var values: [DatabaseValue] { [.text(project), .text(tenant ?? "")] }

  func values(_ id: AccountID) -> [DatabaseValue] { values + [.text(id.rawValue)] }
}

/// Values on their way out of a row.
extension Row {
  /// A column that may be NULL.
  func text(_ index: Int) throws -> String? {
    let value: DatabaseValue = self[index]
    switch value.storage {
    case .null: return nil
    case .string(let text): return text
    case .blob(let data): return String(decoding: data, as: UTF8.self)
    default: throw DamagedRow(column: index)
    }
  }

  /// A column that is never NULL.
  func string(_ index: Int) throws -> String {
    guard let text = try text(index) else { throw DamagedRow(column: index) }
    return text
  }

  func integer(_ index: Int) throws -> Int64 {
    let value: DatabaseValue = self[index]
    guard case .int64(let number) = value.storage else { throw DamagedRow(column: index) }
    return number
  }

  /// A number that may be NULL.
  func optionalInteger(_ index: Int) throws -> Int64? {
    let value: DatabaseValue = self[index]
    return value.isNull ? nil : try integer(index)
  }

  func flag(_ index: Int) throws -> Bool { try integer(index) != 0 }

  func time(_ index: Int) throws -> Timestamp? {
    let value: DatabaseValue = self[index]
    return value.isNull ? nil : Timestamp(milliseconds: try integer(index))
  }
}

/// A row that no version of this store can have written.
struct DamagedRow: Error {
  let column: Int
}
