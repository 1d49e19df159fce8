extension Collection<UInt8> {
  /// Compares without telling, by the time it takes, where the difference is.
  ///
  /// Lengths are no secret.
  package func equalsInConstantTime(_ other: some Collection<UInt8>) -> Bool {
    guard count == other.count else { return false }
    return zip(self, other).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
  }
}

extension StringProtocol {
  /// Compares without telling, by the time it takes, where the difference is.
  package func equalsInConstantTime(_ other: some StringProtocol) -> Bool {
    Array(utf8).equalsInConstantTime(Array(other.utf8))
  }
}
