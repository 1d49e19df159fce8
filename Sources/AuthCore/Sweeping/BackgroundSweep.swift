/// Sweeps a store beside an app or a console until it is released.
public final class BackgroundSweep: Sendable {
  private let task: Task<Void, Never>

  /// How long the process has for what it does first.
  private static let pause = Duration.seconds(60)

  /// Begins a minute later, at the lowest priority; what the store throws is tried again a minute after that.
  public init(of graph: AccountGraph) {
    task = Task.detached(priority: .background) {
      try? await Task.sleep(for: Self.pause)
      await Sweeper(graph).run()
    }
  }

  deinit { task.cancel() }
}
