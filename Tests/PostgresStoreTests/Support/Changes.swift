import AuthCore
import PostgresStore
import Synchronization
import Testing

/// A record of the changes that a store announces.
final class Changes: Sendable {
  private final class Heard: Sendable {
    let changes = Mutex<[StoreChange]>([])
  }

  private let heard = Heard()
  private let listening: Task<Void, Never>

  init(of store: PostgresStore) {
    let stream = store.changes()
    listening = Task { [heard] in
      for await change in stream { heard.changes.withLock { $0.append(change) } }
    }
  }

  deinit {
    listening.cancel()
  }

  /// Waits until a change is announced, or any if it is nil; the limit guards against hanging.
  func wait(
    for change: StoreChange? = nil, times: Int = 1,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async {
    let deadline = ContinuousClock.now + .seconds(30)
    while heard.changes.withLock({ $0.count { change == nil || $0 == change } }) < times {
      guard ContinuousClock.now < deadline else {
        Issue.record(
          "\(change.map { "\($0)" } ?? "a change") was not heard", sourceLocation: sourceLocation)
        return
      }
      try? await Task.sleep(for: .milliseconds(10))
    }
  }
}
