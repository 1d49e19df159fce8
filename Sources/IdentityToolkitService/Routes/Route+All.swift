extension Route {
  /// Every operation that the server has.
  static let all =
    accounts + federated + messages + actions + multiFactor + projects + emulator + admin + browser
    + publication + tokens
}
