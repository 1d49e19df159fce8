extension Route {
  static let projects: [Route] = []
}
