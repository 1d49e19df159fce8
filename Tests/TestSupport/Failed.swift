/// The error of a test that lacks a value it needs.
public struct Failed: Error, CustomStringConvertible {
  public let description: String

  /// Makes an error with a text.
  public init(description: String) {
    self.description = description
  }
}

extension Optional {
  /// Returns the value, or throws an error that it is missing.
  public func unwrapped(_ what: String) throws -> Wrapped {
    guard let self else { throw Failed(description: "no \(what)") }
    return self
  }
}
