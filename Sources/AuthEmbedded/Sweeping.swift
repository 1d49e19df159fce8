import AuthCore

/// Sweeps a store beside an app until it is released.
final class Sweeping: Sendable {
  private let task: Task<Void, Never>

  /// How long an app has for what it does first.
  private static let pause = Duration.seconds(60)

  init(of graph: AccountGraph) {
    task = Task.detached(priority: .background) {
      try? await Task.sleep(for: Self.pause)
      await Sweeper(graph).run()
    }
  }

  deinit { task.cancel() }
}
