/// Sweeps a store at its times until its task is cancelled: expired records every minute, everything every hour.
public struct Sweeper: Sendable {
  private let graph: AccountGraph
  private let report: @Sendable (any Error) -> Void

  private static let pause = Duration.seconds(60)

  /// Takes the graph of a store; `report` takes what the store throws, after which the sweep is tried again.
  public init(
    _ graph: AccountGraph, report: @escaping @Sendable (any Error) -> Void = { _ in }
  ) {
    self.graph = graph
    self.report = report
  }

  /// Sweeps until the task is cancelled.
  public func run() async {
    while !Task.isCancelled {
      do {
        // A sweep of everything has the records among it.
        if try await graph.sweepIfDue() == nil { try await graph.sweepOneTimeRecords() }
      } catch is CancellationError {
        return
      } catch {
        report(error)
      }
      try? await Task.sleep(for: Self.pause)
    }
  }
}
