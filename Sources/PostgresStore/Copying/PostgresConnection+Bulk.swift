import AuthCore
import CPostgres
import Foundation
import SQLAccounts

extension PostgresConnection {
  /// Adds rows to a table by COPY, outside of the pipeline.
  func copy(_ rows: [CopiedRow], into table: String, columns: String) throws(PostgresFailure) {
    try execute("COPY \(table) (\(columns)) FROM STDIN")
    let bytes = CopyText.bytes(of: rows)
    let isSent = bytes.withUnsafeBytes { buffer in
      PQputCopyData(
        connection, buffer.bindMemory(to: CChar.self).baseAddress, Int32(buffer.count)) == 1
    }
    guard isSent, PQputCopyEnd(connection, nil) == 1 else { throw hungUp() }
    var failure: PostgresFailure?
    while let answer = PQgetResult(connection).map(PostgresAnswer.init) {
      failure = failure ?? answer.failure
    }
    guard PQstatus(connection) == CONNECTION_OK else { throw hungUp() }
    if let failure { throw failure }
  }

  private func hungUp() -> PostgresFailure {
    PostgresFailure(
      state: nil, message: String(cString: PQerrorMessage(connection)).trimmingSpace,
      isDisconnection: true)
  }
}

/// The text format of COPY.
enum CopyText {
  static func bytes(of rows: [CopiedRow]) -> [UInt8] {
    var bytes: [UInt8] = []
    for row in rows {
      for (index, value) in row.enumerated() {
        if index > 0 { bytes.append(tab) }
        switch value {
        case .null: bytes += [backslash, 0x4E]
        case .integer(let number): bytes += String(number).utf8
        case .string(let text): append(NULText.encoded(text), to: &bytes)
        }
      }
      bytes.append(newline)
    }
    return bytes
  }

  private static let (tab, newline, carriageReturn) = (UInt8(9), UInt8(10), UInt8(13))
  private static let backslash = UInt8(0x5C)

  private static func append(_ text: [UInt8], to bytes: inout [UInt8]) {
    for byte in text {
      switch byte {
      case tab: bytes += [backslash, 0x74]
      case newline: bytes += [backslash, 0x6E]
      case carriageReturn: bytes += [backslash, 0x72]
      case backslash: bytes += [backslash, backslash]
      default: bytes.append(byte)
      }
    }
  }
}

/// Literals for SQL that is sent outside of the pipeline.
enum SQLLiteral {
  static func text(_ text: String) -> String {
    let encoded = String(decoding: NULText.encoded(text), as: UTF8.self)
    return "'" + encoded.replacing(bytes: ["'": "''"]) + "'"
  }

  static func value(_ value: SQLValue) -> String {
    switch value {
    case .null: "NULL"
    case .integer(let number): String(number)
    case .string(let text): self.text(text)
    }
  }

  /// Returns keys as a table whose columns are named like the key's.
  static func table(of keys: [[SQLValue]], _ table: CopiedTable, named name: String) -> String {
    rows(keys, table.keyColumns, named: name)
  }

  /// Returns rows as a table.
  static func rows(
    _ rows: [[SQLValue]], _ columns: [CopiedTable.Column], named name: String
  ) -> String {
    let lists = columns.indices.map { index in
      text(ArrayText.text(rows.lazy.map { $0[index] }))
        + (columns[index].isInteger ? "::bigint[]" : "::text[]")
    }
    let names = columns.map(\.name).joined(separator: ", ")
    return "unnest(\(lists.joined(separator: ", "))) AS \(name) (\(names))"
  }

  /// Returns the condition that a row has one of the keys in the table `keys`.
  static func matches(_ table: CopiedTable, _ keys: String) -> String {
    equal(table.keyColumns, table, keys)
  }

  /// Returns the condition that some columns are equal in both tables, with texts compared byte for byte.
  static func equal(
    _ columns: [CopiedTable.Column], _ table: CopiedTable, _ other: String
  ) -> String {
    columns.map { column in
      let collation = column.isInteger ? "" : " COLLATE \"C\""
      return "\(table.name).\(column.name) = \(other).\(column.name)\(collation)"
    }.joined(separator: " AND ")
  }
}
