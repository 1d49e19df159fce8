extension StringProtocol {
  /// Compares without telling, by the time it takes, where the difference is.
  package func equalsInConstantTime(_ other: some StringProtocol) -> Bool {
    let (a, b) = (Array(utf8), Array(other.utf8))
    guard a.count == b.count else { return false }
    return zip(a, b).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
  }
}
