/// Tells how far the primary server's log goes, asking once for all who want to know at the same time.
///
/// Whoever asks gets a position that was read after they asked, so it covers everything that was committed before.
actor PrimaryPosition {
  private let ask: @Sendable () async throws -> LogPosition
  private var waiting: [CheckedContinuation<LogPosition, any Error>] = []
  private var isAsking = false

  init(ask: @escaping @Sendable () async throws -> LogPosition) {
    self.ask = ask
  }

  func current() async throws -> LogPosition {
    try await withCheckedThrowingContinuation { continuation in
      waiting.append(continuation)
      guard !isAsking else { return }
      isAsking = true
      Task { await answerAll() }
    }
  }

  /// Answers those who wait; whoever comes while it asks waits for the next answer.
  private func answerAll() async {
    while !waiting.isEmpty {
      let asking = waiting
      waiting = []
      let position: Result<LogPosition, any Error>
      do {
        position = .success(try await ask())
      } catch {
        position = .failure(error)
      }
      for continuation in asking { continuation.resume(with: position) }
    }
    isAsking = false
  }
}
