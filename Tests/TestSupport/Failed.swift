/// What a test needed and did not get.
public struct Failed: Error, CustomStringConvertible {
  public let description: String

  public init(description: String) {
    self.description = description
  }
}

extension Optional {
  /// Gives what is there, or throws that there is no such thing.
  public func unwrapped(_ what: String) throws -> Wrapped {
    guard let self else { throw Failed(description: "no \(what)") }
    return self
  }
}
