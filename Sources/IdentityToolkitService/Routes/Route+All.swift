extension Route {
  /// Every operation of the server.
  static let all =
    accounts + federated + merging + waysIn + messages + actions + multiFactor + projects + emulator
    + admin + browser + events + publication + tokens
}
