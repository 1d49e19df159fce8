/// Thrown by a check whose promise is broken.
public struct CheckFailure: Error, Hashable, CustomStringConvertible {
  /// What was expected, and what came instead.
  public let description: String

  public init(_ description: String) {
    self.description = description
  }
}

/// Fails unless something holds.
package func expect(_ holds: Bool, _ sentence: @autoclosure () -> String) throws {
  guard holds else { throw CheckFailure(sentence()) }
}

/// Fails unless two values are equal.
package func expect<Value: Equatable>(_ value: Value, is wanted: Value, _ what: String) throws {
  guard value == wanted else {
    throw CheckFailure(
      "\(what) is \(String(reflecting: value)) instead of \(String(reflecting: wanted)).")
  }
}
