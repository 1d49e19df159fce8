/// Rows of many values, whose texts lie one after the other.
///
/// Made on one thread and read on another, they cost the other no reference count, no copy and no release of each text.
package struct PackedRows: Sendable {
  /// A value; a text by its place among the texts.
  package enum Value: Sendable {
    case null
    case integer(Int64)
    case text(Range<Int>)
    /// A text that contains a NUL, which engines take in a way of their own.
    case textWithNUL(Range<Int>)
  }

  /// How many values each row has.
  package let width: Int
  package private(set) var count = 0
  private var values: [Value] = []
  private var texts: [UInt8] = []

  /// Takes rows that all have the same number of values.
  init(_ rows: [[SQLValue]]) {
    width = rows.first?.count ?? 0
    values.reserveCapacity(rows.count * width)
    texts.reserveCapacity(rows.count * width * Self.usualLength)
    for row in rows { append(row) }
  }

  /// More than most texts have, where some of a row's values are none.
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

  /// Reads the rows; what the closure gets is good inside of it.
  package func read<Result>(_ body: (Reader) throws -> Result) rethrows -> Result {
    try values.withUnsafeBufferPointer { values in
      try texts.withUnsafeBytes { texts in
        try body(Reader(width: width, count: count, values: values, texts: texts))
      }
    }
  }

  /// A row as values of its own, for what is done seldom.
  package func row(_ row: Int) -> [SQLValue] {
    read { reader in
      (0..<width).map { column in
        switch reader[row, column] {
        case .null: .null
        case .integer(let number): .integer(number)
        case .text(let place), .textWithNUL(let place):
          .string(String(decoding: reader.bytes(place), as: UTF8.self))
        }
      }
    }
  }

  /// The values by row and column.
  package struct Reader {
    package let width: Int
    package let count: Int
    fileprivate let values: UnsafeBufferPointer<Value>
    fileprivate let texts: UnsafeRawBufferPointer

    package subscript(row: Int, column: Int) -> Value { values[row * width + column] }

    /// The bytes of a text.
    package func bytes(_ place: Range<Int>) -> UnsafeRawBufferPointer {
      UnsafeRawBufferPointer(rebasing: texts[place])
    }
  }
}
