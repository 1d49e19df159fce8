extension Route {
  static let multiFactor: [Route] = []
}
