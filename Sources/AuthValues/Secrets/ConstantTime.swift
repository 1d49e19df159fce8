extension Collection<UInt8> {
  /// Compares in a time that does not depend on where the first difference is.
  ///
  /// The lengths are not secret.
  package func equalsInConstantTime(_ other: some Collection<UInt8>) -> Bool {
    let (a, b) = (Array(self), Array(other))
    guard a.count == b.count else { return false }
    return zip(a, b).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
  }
}

extension StringProtocol {
  /// Compares in a time that does not depend on where the first difference is.
  package func equalsInConstantTime(_ other: some StringProtocol) -> Bool {
    utf8.equalsInConstantTime(other.utf8)
  }
}
