/// Sweeps a store until its task is cancelled: expired records every minute, everything every hour.
public struct Sweeper: Sendable {
  private let graph: AccountGraph
  private let report: @Sendable (any Error) -> Void

  private static let pause = Duration.seconds(60)

  /// Makes a sweeper; `report` receives errors of the store, after which the sweep is retried.
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
        // A full sweep includes the records.
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
