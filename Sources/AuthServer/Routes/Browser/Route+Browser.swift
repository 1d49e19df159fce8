extension Route {
  static let browser: [Route] = []
}
