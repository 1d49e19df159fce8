/// Sweeps a store in the background of an app or a console until it is released.
public final class BackgroundSweep: Sendable {
  private let task: Task<Void, Never>

  /// The delay that leaves the process time to start.
  private static let pause = Duration.seconds(60)

  /// Begins after a minute, at the lowest priority; after an error of the store it retries each minute.
  public init(of graph: AccountGraph) {
    task = Task.detached(priority: .background) {
      try? await Task.sleep(for: Self.pause)
      await Sweeper(graph).run()
    }
  }

  deinit { task.cancel() }
}
