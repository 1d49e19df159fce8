extension Collection<UInt8> {
  /// Compares without telling, by the time it takes, where the difference is.
  ///
  /// Lengths are no secret.
  package func equalsInConstantTime(_ other: some Collection<UInt8>) -> Bool {
    let (a, b) = (Array(self), Array(other))
    guard a.count == b.count else { return false }
    return zip(a, b).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
  }
}

extension StringProtocol {
  /// Compares without telling, by the time it takes, where the difference is.
  package func equalsInConstantTime(_ other: some StringProtocol) -> Bool {
    utf8.equalsInConstantTime(other.utf8)
  }
}
