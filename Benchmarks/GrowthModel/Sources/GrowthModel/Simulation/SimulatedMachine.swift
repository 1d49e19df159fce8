/// A machine as the simulation knows it; times are in microseconds.
public struct SimulatedMachine: Sendable, Hashable {
  /// Cores, each of which does one thing at a time; who comes first is served first.
  public var cores: Int
  /// What a flush of the log takes; one at a time, each for everybody who waits when it begins.
  public var flush: Double
  /// The connections of the pool.
  public var connections: Int
  /// Pages that changes add to: two transactions at once on one page, and the later one begins again.
  public var leafPages: Int
  public init(cores: Int, flush: Double, connections: Int = 16, leafPages: Int = .max) {
    self.cores = max(1, cores)
    self.flush = flush
    self.connections = max(1, connections)
    self.leafPages = max(1, leafPages)
  }
}

/// An operation as the steps that the simulation goes through.
struct SimulatedOperation {
  enum Step {
    case connect
    case begin
    case compute(Double)
    case wait(Double)
    /// Whether nobody was in the way; otherwise back to `begin`.
    case validate
    case flush
    case disconnect
  }

  let steps: [Step]
  /// CPU that is spent after the caller has its answer, or beside it.
  let background: Double
  /// Factors of mean 1 by which single operations take longer or shorter.
  let factors: [Double]

  /// Takes an operation's costs apart: equal parts for each round trip, with a flush at the end of each transaction.
  ///
  /// What the caller waited for that is neither CPU nor flush is a delay in which nobody is in anybody's way. Where there
  /// is more CPU than time, the rest was spent beside it.
  init(_ cost: OperationCost, flush: Double) {
    let transactions = max(1, cost.flushes)
    let trips = max(transactions, Int(cost.roundTrips.rounded()))
    let busy = cost.clientCPU + cost.serverCPU
    let delay = cost.meanLatency - busy - Double(cost.flushes) * flush
    let beside = max(0, min(cost.clientCPU, -delay))
    background = cost.backgroundCPU + beside
    let parts = Double(trips)
    let pause = max(0, delay) / parts / 2
    var steps: [Step] = []
    for transaction in 0..<transactions {
      let first = transaction * trips / transactions
      let last = (transaction + 1) * trips / transactions
      steps += [.compute((cost.clientCPU - beside) / parts / 2), .connect]
      for trip in first..<last {
        // A change reads and decides first, and reads all of it again in its transaction.
        if trip == first + (last - first) / 2 { steps.append(.begin) }
        if trip > first { steps.append(.compute((cost.clientCPU - beside) / parts / 2)) }
        steps += [.wait(pause), .compute(cost.serverCPU / parts)]
        if trip == last - 1, cost.flushes > 0 { steps += [.validate, .flush] }
        steps += [.wait(pause), .compute((cost.clientCPU - beside) / parts / 2)]
      }
      steps.append(.disconnect)
    }
    self.steps = steps
    let mean = cost.meanLatency
    factors = mean > 0 ? cost.latencies.map { $0 / mean } : [1]
  }
}
