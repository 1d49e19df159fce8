extension Route {
  /// Every operation of the server.
  static let all =
    accounts + federated + merging + messages + actions + multiFactor + projects + emulator
    + admin + browser + publication + tokens
}
