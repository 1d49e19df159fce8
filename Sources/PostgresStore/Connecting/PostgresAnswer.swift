import AuthCore
import CPostgres
import Foundation
import SQLAccounts

/// The result of a statement.
final class PostgresAnswer {
  private let result: OpaquePointer

  init(_ result: OpaquePointer) {
    self.result = result
  }

  deinit {
    PQclear(result)
  }

  var status: ExecStatusType { PQresultStatus(result) }

  var isDone: Bool { status == PGRES_TUPLES_OK || status == PGRES_COMMAND_OK }

  var rowCount: Int { Int(PQntuples(result)) }

  /// The number of rows that a statement changed.
  var changedRows: Int { Int(String(cString: PQcmdTuples(result))) ?? 0 }

  func row(_ index: Int) -> PostgresRow { PostgresRow(answer: self, index: Int32(index)) }

  /// The failure of the statement; nil if it succeeded or was skipped after an earlier failure.
  var failure: PostgresFailure? {
    switch status {
    case PGRES_FATAL_ERROR, PGRES_BAD_RESPONSE, PGRES_NONFATAL_ERROR:
      PostgresFailure(
        state: field("C"), message: field("M") ?? wholeMessage, constraint: field("n"),
        // The statement may have taken effect.
        isUncertain: field("C") == "40003")
    default: nil
    }
  }

  private var wholeMessage: String {
    String(cString: PQresultErrorMessage(result)).trimmingSpace
  }

  /// Returns a field of an error message, by its letter in the protocol.
  private func field(_ letter: Character) -> String? {
    guard let code = letter.asciiValue else { return nil }
    return PQresultErrorField(result, Int32(code)).map { String(cString: $0) }
  }

  fileprivate func bytes(_ row: Int32, _ column: Int32) -> UnsafeRawBufferPointer? {
    guard PQgetisnull(result, row, column) == 0, let value = PQgetvalue(result, row, column) else {
      return nil
    }
    return UnsafeRawBufferPointer(start: value, count: Int(PQgetlength(result, row, column)))
  }
}

/// A row of a result.
struct PostgresRow: SQLRow {
  let answer: PostgresAnswer
  let index: Int32

  func text(_ column: Int) -> String? {
    answer.bytes(index, Int32(column)).map(NULText.decoded)
  }

  func optionalInteger(_ column: Int) throws -> Int64? {
    guard let bytes = answer.bytes(index, Int32(column)) else { return nil }
    guard let number = Int64(String(decoding: bytes, as: UTF8.self)) else {
      throw DamagedRow(column: column)
    }
    return number
  }

  func has(_ column: Int, _ text: String) -> Bool {
    answer.bytes(index, Int32(column)).map { NULText.stands(for: text, $0) } ?? false
  }
}

/// An encoding of texts for PostgreSQL, which has no NUL.
///
/// NUL and U+0001 are written as U+0001 and a digit, which keeps texts distinct and in order. All other texts stay as
/// they are.
enum NULText {
  private static let escape: UInt8 = 1

  static func encoded(_ text: String) -> [UInt8] {
    let plain = Array(text.utf8)
    guard plain.contains(where: { $0 <= escape }) else { return plain }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count + 1)
    for byte in plain {
      if byte <= escape { bytes += [escape, 0x30 + byte] } else { bytes.append(byte) }
    }
    return bytes
  }

  /// Returns true if these bytes encode the text.
  static func stands(for text: String, _ bytes: UnsafeRawBufferPointer) -> Bool {
    bytes.contains(escape) ? encoded(text).elementsEqual(bytes) : text.hasBytes(bytes)
  }

  static func decoded(_ bytes: UnsafeRawBufferPointer) -> String {
    guard bytes.contains(escape) else { return String(decoding: bytes, as: UTF8.self) }
    var plain: [UInt8] = []
    var isEscaped = false
    for byte in bytes {
      if isEscaped {
        plain.append(byte &- 0x30)
        isEscaped = false
      } else if byte == escape {
        isEscaped = true
      } else {
        plain.append(byte)
      }
    }
    return String(decoding: plain, as: UTF8.self)
  }
}

extension String {
  var trimmingSpace: String { trimmingCharacters(in: .whitespacesAndNewlines) }
}
