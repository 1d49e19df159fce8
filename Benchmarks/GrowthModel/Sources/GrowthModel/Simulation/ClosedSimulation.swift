import Foundation

/// A simulation of callers who repeat one operation, event by event.
///
/// No parameter is fitted: the results of many callers, who share cores, log and pool and conflict with each other,
/// follow from the measured cost of a single caller. Equal seeds give equal results.
public struct ClosedSimulation: Sendable {
  /// The machine that callers and database share.
  public var machine: SimulatedMachine
  /// The cost of the operation for a single caller.
  public var cost: OperationCost
  /// The number of callers.
  public var callers: Int
  /// The mean of the exponential pauses between two operations of a caller, in microseconds.
  public var pause: Double
  /// The seed of the random numbers.
  public var seed: UInt64

  /// Makes a simulation.
  public init(
    _ cost: OperationCost, on machine: SimulatedMachine, callers: Int, pause: Double = 0,
    seed: UInt64
  ) {
    self.cost = cost
    self.machine = machine
    self.callers = max(1, callers)
    self.pause = pause
    self.seed = seed
  }

  /// Runs until `operations` operations are done; the first tenth of them is not counted.
  public func run(operations: Int) -> LoadResult {
    var run = SimulationRun(self)
    let warmUp = operations / 10
    while run.latencies.count < warmUp, run.step() {}
    let (start, repeats) = (run.now, run.repeats)
    run.latencies.removeAll(keepingCapacity: true)
    while run.latencies.count < max(1, operations - warmUp), run.step() {}
    let count = Double(run.latencies.count)
    let sorted = run.latencies.sorted()
    return LoadResult(
      operation: cost.name, callers: callers, rate: count / max(run.now - start, 1e-9) * 1e6,
      median: Quantiles.value(0.5, ofSorted: sorted), slow: Quantiles.value(0.99, ofSorted: sorted),
      clientCPU: cost.clientCPU, serverCPU: cost.serverCPU,
      repeats: Double(run.repeats - repeats) / count)
  }
}

/// The state of a simulation.
private struct SimulationRun {
  private enum Event {
    /// A caller continues.
    case goOn(Int)
    /// A core is free again, after a caller's work or background work.
    case computed(Int?)
    case flushed
  }

  private struct Caller {
    var position = 0
    var start = 0.0
    var factor = 1.0
    /// The position and time at which the transaction began, and the page that it will add to.
    var begun = (position: 0, time: 0.0)
    var page = 0
    var failures = 0
  }

  private let simulation: ClosedSimulation
  private let operation: SimulatedOperation
  private var generator: SplitMix
  private var events = EventQueue<Event>()
  private var callers: [Caller]

  private(set) var now = 0.0
  private(set) var repeats = 0
  var latencies: [Double] = []

  private var freeCores: Int
  private var work: [(caller: Int?, time: Double)] = []
  private var firstWork = 0
  private var freeConnections: Int
  private var pool = WaitingLine()
  private var isFlushing = false
  private var inFlush: [Int] = []
  private var toFlush: [Int] = []
  /// The time at which a committed transaction last added to each page.
  private var changed: [Int: Double] = [:]

  init(_ simulation: ClosedSimulation) {
    self.simulation = simulation
    operation = SimulatedOperation(simulation.cost, flush: simulation.machine.flush)
    generator = SplitMix(seed: simulation.seed)
    callers = Array(repeating: Caller(), count: simulation.callers)
    freeCores = simulation.machine.cores
    freeConnections = simulation.machine.connections
    for caller in callers.indices { startOver(caller) }
  }

  /// Processes the next event; returns false if there is none.
  mutating func step() -> Bool {
    guard let (time, event) = events.next() else { return false }
    now = time
    switch event {
    case .goOn(let caller): goOn(caller)
    case .computed(let caller):
      freeCores += 1
      startWork()
      if let caller { goOn(caller) }
    case .flushed:
      isFlushing = false
      let done = inFlush
      inFlush = []
      startFlush()
      for caller in done { goOn(caller) }
    }
    return true
  }

  private mutating func startOver(_ caller: Int) {
    let pause = simulation.pause > 0 ? -log(1 - generator.share()) * simulation.pause : 0
    callers[caller].position = 0
    callers[caller].start = now + pause
    callers[caller].factor = operation.factors.randomElement(using: &generator) ?? 1
    callers[caller].failures = 0
    events.add(.goOn(caller), at: now + pause)
  }

  /// Executes a caller's steps until one of them takes time.
  private mutating func goOn(_ caller: Int) {
    while callers[caller].position < operation.steps.count {
      let step = operation.steps[callers[caller].position]
      callers[caller].position += 1
      switch step {
      case .connect:
        guard freeConnections > 0 else { return pool.add(caller) }
        freeConnections -= 1
      case .disconnect:
        if let next = pool.next() {
          events.add(.goOn(next), at: now)
        } else {
          freeConnections += 1
        }
      case .begin:
        callers[caller].begun = (callers[caller].position - 1, now)
        callers[caller].page = Int.random(
          in: 0..<simulation.machine.leafPages, using: &generator)
      case .compute(let time):
        guard time > 0 else { continue }
        work.append((caller, time * callers[caller].factor))
        return startWork()
      case .wait(let time):
        guard time > 0 else { continue }
        return events.add(.goOn(caller), at: now + time * callers[caller].factor)
      case .validate:
        let (position, time) = callers[caller].begun
        let page = callers[caller].page
        guard changed[page, default: -1] > time else {
          changed[page] = now
          continue
        }
        return repeatTransaction(caller, from: position)
      case .flush:
        toFlush.append(caller)
        return startFlush()
      }
    }
    latencies.append(now - callers[caller].start)
    if operation.background > 0 {
      work.append((nil, operation.background))
      startWork()
    }
    startOver(caller)
  }

  /// Repeats the transaction after a pause that grows each time, with the connection still held.
  private mutating func repeatTransaction(_ caller: Int, from position: Int) {
    repeats += 1
    callers[caller].failures += 1
    callers[caller].position = position
    let longest = min(250_000, 1000 * pow(2, Double(min(10, callers[caller].failures))))
    events.add(.goOn(caller), at: now + generator.share() * longest)
  }

  private mutating func startWork() {
    while freeCores > 0, firstWork < work.count {
      let (caller, time) = work[firstWork]
      firstWork += 1
      freeCores -= 1
      events.add(.computed(caller), at: now + time)
    }
    if firstWork > 1024 {
      work.removeFirst(firstWork)
      firstWork = 0
    }
  }

  private mutating func startFlush() {
    guard !isFlushing, !toFlush.isEmpty else { return }
    isFlushing = true
    swap(&inFlush, &toFlush)
    toFlush = []
    events.add(.flushed, at: now + simulation.machine.flush)
  }
}
