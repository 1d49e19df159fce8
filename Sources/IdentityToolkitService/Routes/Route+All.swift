extension Route {
  /// Every operation that the server has.
  static let all =
    accounts + federated + merging + messages + actions + multiFactor + projects + emulator
    + admin + browser + publication + tokens
}
