/// Rows of many values, with all texts in one buffer.
///
/// Rows made on one thread and read on another need no reference count, copy or release per text.
package struct PackedRows: Sendable {
  /// A value; a text is a range of the text buffer.
  package enum Value: Sendable {
    case null
    case integer(Int64)
    case text(Range<Int>)
    /// A text that contains NUL, which engines bind differently.
    case textWithNUL(Range<Int>)
  }

  /// The number of values in each row.
  package let width: Int
  package private(set) var count = 0
  private var values: [Value] = []
  private var texts: [UInt8] = []

  /// Packs rows that all have the same number of values.
  package init(_ rows: [[SQLValue]]) {
    width = rows.first?.count ?? 0
    values.reserveCapacity(rows.count * width)
    texts.reserveCapacity(rows.count * width * Self.usualLength)
    for row in rows { append(row) }
  }

  /// An estimate of a value's length in bytes, above the average because some values are not texts.
  private static let usualLength = 16

  private mutating func append(_ row: [SQLValue]) {
    precondition(row.count == width, "Rows of one table have \(width) values.")
    count += 1
    for value in row {
      switch value {
      case .null: values.append(.null)
      case .integer(let number): values.append(.integer(number))
      case .string(let text): values.append(pack(text))
      }
    }
  }

  private mutating func pack(_ text: String) -> Value {
    let start = texts.count
    texts.append(contentsOf: text.utf8)
    let place = start..<texts.count
    return texts[place].contains(0) ? .textWithNUL(place) : .text(place)
  }

  package var isEmpty: Bool { count == 0 }

  /// Reads the rows.
  ///
  /// The reader must not leave the closure.
  package func read<Result>(_ body: (Reader) throws -> Result) rethrows -> Result {
    try values.withUnsafeBufferPointer { values in
      try texts.withUnsafeBytes { texts in
        try body(Reader(width: width, count: count, values: values, texts: texts))
      }
    }
  }

  /// Access to the values by row and column.
  package struct Reader {
    package let width: Int
    package let count: Int
    fileprivate let values: UnsafeBufferPointer<Value>
    fileprivate let texts: UnsafeRawBufferPointer

    package subscript(row: Int, column: Int) -> Value { values[row * width + column] }

    /// Returns the bytes of a text.
    package func bytes(_ place: Range<Int>) -> UnsafeRawBufferPointer {
      UnsafeRawBufferPointer(rebasing: texts[place])
    }

    /// Returns the value that all rows share in a column; nil if they differ.
    package func commonValue(_ column: Int) -> SQLValue? {
      guard count > 0 else { return nil }
      let first = self[0, column]
      for row in 1..<count where !isSame(first, self[row, column]) { return nil }
      switch first {
      case .null: return .null
      case .integer(let number): return .integer(number)
      case .text(let place), .textWithNUL(let place):
        return .string(String(decoding: bytes(place), as: UTF8.self))
      }
    }

    private func isSame(_ a: Value, _ b: Value) -> Bool {
      switch (a, b) {
      case (.null, .null): true
      case (.integer(let a), .integer(let b)): a == b
      case (.text(let a), .text(let b)), (.textWithNUL(let a), .textWithNUL(let b)):
        bytes(a).elementsEqual(bytes(b))
      default: false
      }
    }
  }
}
