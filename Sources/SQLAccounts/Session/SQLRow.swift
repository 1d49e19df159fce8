package import AuthCore

/// A row of a result, valid while it is read.
package protocol SQLRow {
  /// Returns a text column; nil for NULL.
  func text(_ index: Int) throws -> String?
  /// Returns an integer column; nil for NULL.
  func optionalInteger(_ index: Int) throws -> Int64?
  /// Returns true if a column holds exactly this text, byte for byte.
  func has(_ index: Int, _ text: String) -> Bool
}

/// Typed values of a row.
extension SQLRow {
  /// Returns a text column; throws ``DamagedRow`` for NULL.
  package func string(_ index: Int) throws -> String {
    guard let text = try text(index) else { throw DamagedRow(column: index) }
    return text
  }

  /// Returns `known` if the column equals it, to avoid a copy.
  package func text(_ index: Int, likely known: String?) throws -> String? {
    if let known, has(index, known) { return known }
    return try text(index)
  }

  package func integer(_ index: Int) throws -> Int64 {
    guard let number = try optionalInteger(index) else { throw DamagedRow(column: index) }
    return number
  }

  package func flag(_ index: Int) throws -> Bool { try integer(index) != 0 }

  package func time(_ index: Int) throws -> Timestamp? {
    try optionalInteger(index).map { Timestamp(milliseconds: $0) }
  }
}

/// A row that no version of the store can have written.
package struct DamagedRow: Error {
  let column: Int

  package init(column: Int) {
    self.column = column
  }
}
