import AuthCore

/// Thrown by a check whose promise is broken.
public struct CheckFailure: Error, Hashable, CustomStringConvertible {
  /// What was expected, and what came instead.
  public let description: String

  public init(_ description: String) {
    self.description = description
  }
}

/// Fails unless something holds.
func expect(_ holds: Bool, _ sentence: @autoclosure () -> String) throws {
  guard holds else { throw CheckFailure(sentence()) }
}

/// Fails unless two values are equal.
func expect<Value: Equatable>(_ value: Value, is wanted: Value, _ what: String) throws {
  guard value == wanted else {
    throw CheckFailure(
      "\(what) is \(String(reflecting: value)) instead of \(String(reflecting: wanted)).")
  }
}

/// Fails unless a write is refused with a `UniqueKeyConflict`.
func expectConflict(_ what: String, _ write: () throws -> Void) throws {
  do {
    try write()
  } catch is UniqueKeyConflict {
    return
  }
  throw CheckFailure("\(what) was not refused.")
}
