/// The position of the primary server's log, read once for all simultaneous callers.
///
/// A caller gets a position that was read after its call, so it covers every earlier commit.
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

  /// Answers the waiting callers.
  ///
  /// A caller that arrives during a query waits for the next one.
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
