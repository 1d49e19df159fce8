extension Route {
  static let emulator: [Route] = []
}
