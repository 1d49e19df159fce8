public import Testing

/// A row of a table test, with the name that the list of tests shows.
public struct TableRow<Input: Sendable, Expected: Sendable>: Sendable, CustomTestStringConvertible {
  public let testDescription: String
  public let input: Input
  public let expected: Expected

  public init(_ name: String, _ input: Input, _ expected: Expected) {
    testDescription = name
    self.input = input
    self.expected = expected
  }
}
