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

    /// The value that all rows have in a column; nil where they differ.
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
