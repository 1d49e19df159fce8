extension Route {
  static let admin: [Route] = []
}
