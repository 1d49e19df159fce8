/// The machine of a simulation; times are in microseconds.
public struct SimulatedMachine: Sendable, Hashable {
  /// The number of cores, each of which does one thing at a time, in order of arrival.
  public var cores: Int
  /// The time of a log flush.
  ///
  /// There is one at a time, for all transactions that wait when it begins.
  public var flush: Double
  /// The number of connections in the pool.
  public var connections: Int
  /// The number of pages that changes add to.
  ///
  /// Of two concurrent transactions on one page, the later one is repeated.
  public var leafPages: Int
  /// Makes a machine.
  public init(cores: Int, flush: Double, connections: Int = 16, leafPages: Int = .max) {
    self.cores = max(1, cores)
    self.flush = flush
    self.connections = max(1, connections)
    self.leafPages = max(1, leafPages)
  }
}

/// An operation as steps of a simulation.
struct SimulatedOperation {
  enum Step {
    case connect
    case begin
    case compute(Double)
    case wait(Double)
    /// Continues if there was no conflict, otherwise goes back to `begin`.
    case validate
    case flush
    case disconnect
  }

  let steps: [Step]
  /// The CPU time that is spent after the caller has its result, or in parallel.
  let background: Double
  /// Factors of mean 1 by which single operations take longer or shorter.
  let factors: [Double]

  /// Splits an operation's cost into equal parts for each round trip, with a flush at the end of each transaction.
  ///
  /// Latency that is neither CPU time nor a flush becomes a delay without contention. If there is more CPU time than
  /// latency, the excess is spent in parallel.
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
        // A change first reads and decides, and then reads everything again in its transaction.
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
