extension Route {
  static let publication: [Route] = []
}
