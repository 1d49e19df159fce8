import Testing

/// Looks again and again, without holding up other tests; gives up after a time that no working machine needs.
func waitUntil(_ isSo: () -> Bool, _ location: SourceLocation = #_sourceLocation) async throws {
  let start = ContinuousClock.now
  while !isSo() {
    try #require(ContinuousClock.now - start < .seconds(30), sourceLocation: location)
    try await Task.sleep(for: .milliseconds(10))
  }
}
