extension Route {
  /// Every operation that the server has.
  static let all =
    accounts + multiFactor + projects + emulator + admin + browser + publication + tokens
}
