extension Route {
  static let accounts: [Route] = []
}
