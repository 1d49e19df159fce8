/// An error for a broken promise.
public struct CheckFailure: Error, Hashable, CustomStringConvertible {
  /// The expected and the actual result, in one sentence.
  public let description: String

  /// Makes a failure from a sentence.
  public init(_ description: String) {
    self.description = description
  }
}

/// Throws a ``CheckFailure`` unless a condition holds.
package func expect(_ holds: Bool, _ sentence: @autoclosure () -> String) throws {
  guard holds else { throw CheckFailure(sentence()) }
}

/// Throws a ``CheckFailure`` unless two values are equal.
package func expect<Value: Equatable>(_ value: Value, is wanted: Value, _ what: String) throws {
  guard value == wanted else {
    throw CheckFailure(
      "\(what) is \(String(reflecting: value)) instead of \(String(reflecting: wanted)).")
  }
}
