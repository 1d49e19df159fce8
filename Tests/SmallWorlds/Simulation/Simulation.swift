import AuthCore
import AuthTesting
import NIOConcurrencyHelpers

/// Clients, servers, vendors, mail and a store, with an order of events that a seed decides.
///
/// Start here. `SimulationScheduler` chooses the next task, and `SimulationAuditor` has the invariants.
package struct Simulation: Sendable {
  private let seed: UInt64
  private let scheduler: SimulationScheduler
  private let store: SimulatedStore
  private let servers: [SimulatedServer]
  private let state: NIOLockedValueBox<State>

  private struct State {
    var stepsLeft: Int
    var history: [String] = []
    var acknowledged: [SimulationAuditor.Acknowledgement] = []
    var problems: [String] = []
    var retries = 0
    var isDone = false
  }

  private static let clients = 7
  private static let servers = 2

  package init(seed: UInt64, steps: Int = 60, fault: StoreFault? = nil) {
    let scheduler = SimulationScheduler(seed: seed)
    var base: any AccountStore = MemoryStore()
    if let fault { base = FaultyStore(base, fault, scheduler: scheduler) }
    let store = SimulatedStore(base, ledger: CommitLedger(), scheduler: scheduler)
    (self.seed, self.scheduler, self.store) = (seed, scheduler, store)
    servers = (0..<Self.servers).map { _ in SimulatedServer(store, scheduler: scheduler) }
    state = NIOLockedValueBox(State(stepsLeft: steps))
  }

  /// Runs simulations of consecutive seeds, until one has problems or the seconds are over.
  package static func search(
    from seed: UInt64, seconds: Double
  ) async throws -> (seeds: Int, steps: Int, problem: SimulationReport?) {
    let end = ContinuousClock.now + .seconds(seconds)
    var (seeds, steps) = (0, 0)
    while ContinuousClock.now < end {
      let report = try await Simulation(seed: seed &+ UInt64(seeds)).run()
      seeds += 1
      steps += report.steps
      if !report.problems.isEmpty { return (seeds, steps, report) }
    }
    return (seeds, steps, nil)
  }

  /// Runs the simulation and returns its report; call it once.
  package func run() async throws -> SimulationReport {
    await scheduler.run { await self.live() }
    let auditor = try await SimulationAuditor(store.base, store.ledger.contents)
    var state = state.withLockedValue(\.self)
    if !state.isDone { state.problems.append("somebody waits for ever") }
    if scheduler.strays > 0 { state.problems.append("\(scheduler.strays) steps ran elsewhere") }
    state.problems += auditor.problems(state.acknowledged)
    return SimulationReport(
      seed: seed, steps: state.history.count, pauses: scheduler.pauses,
      acknowledged: state.acknowledged.count, retries: state.retries,
      history: state.history + auditor.lines,
      problems: state.problems.reduce(into: []) { if !$0.contains($1) { $0.append($1) } })
  }

  private func live() async {
    await perform(.trust(true), by: 0, NIOLockedValueBox([]))
    await withTaskGroup(of: Void.self) { group in
      for client in 0..<Self.clients {
        group.addTask { await live(as: client) }
      }
    }
    state.withLockedValue { $0.isDone = true }
  }

  private func live(as client: Int) async {
    let sessions = NIOLockedValueBox<[SessionGrant]>([])
    while takeStep() {
      await scheduler.pause(atMost: 500)
      let act = SimulatedAct.pick(
        scheduler, sessions: sessions.withLockedValue(\.self), known: store.ledger.contents)
      if scheduler.happens(oneIn: 6) {
        await withTaskGroup(of: Void.self) { tabs in
          for _ in 0..<2 { tabs.addTask { await perform(act, by: client, sessions) } }
        }
      } else {
        await perform(act, by: client, sessions)
      }
      if scheduler.happens(oneIn: 8) { await audit() }
    }
  }

  private func takeStep() -> Bool {
    state.withLockedValue { state in
      guard state.stepsLeft > 0, state.problems.isEmpty else { return false }
      state.stepsLeft -= 1
      return true
    }
  }

  /// Performs an act, and retries it if its outcome is unknown.
  private func perform(
    _ act: SimulatedAct, by client: Int, _ sessions: NIOLockedValueBox<[SessionGrant]>
  ) async {
    for _ in 0..<3 {
      let number = scheduler.number(below: servers.count)
      let server = servers[number]
      if scheduler.happens(oneIn: 20) {
        server.jump(milliseconds: Int64(scheduler.number(below: 900_000)) - 300_000)
      }
      let outcome: String
      var isDone = true
      do {
        let answer = try await act.perform(on: server.graph, scheduler)
        outcome = answer.receipts.map(\.id).joined(separator: " ")
        note(answer, of: act)
        if let session = answer.session {
          sessions.withLockedValue { $0 = $0.suffix(3) + [session] }
        }
      } catch let error as AuthError {
        outcome = "\(error.code)"
        isDone = !Self.passing.contains(error.code) || scheduler.happens(oneIn: 4)
        note(error, of: act)
      } catch {
        outcome = "\(error)"
        state.withLockedValue { $0.problems.append("\(act.name) fails with \(error)") }
      }
      state.withLockedValue { state in
        state.history.append(
          "\(scheduler.now) client \(client) server \(number) \(act.name): \(outcome)")
        if !isDone { state.retries += 1 }
      }
      if isDone { return }
    }
  }

  /// Errors after which a client retries.
  private static let passing: Set<AuthError.Code> = [
    .storeUnavailable, .unsureCommit, .tooMuchContention, .networkRequestFailed,
  ]

  private func note(_ answer: SimulatedAnswer, of act: SimulatedAct) {
    state.withLockedValue { state in
      // An edit that changes nothing has no event.
      state.acknowledged += answer.receipts.filter { !$0.isUnchanged }.map {
        SimulationAuditor.Acknowledgement(event: $0.id, act: act, action: $0.action)
      }
    }
  }

  private func note(_ error: AuthError, of act: SimulatedAct) {
    state.withLockedValue { state in
      if error.code == .internalError { state.problems.append("\(act.name) fails: \(error)") }
      guard let event = error.eventID else { return }
      state.acknowledged.append(
        SimulationAuditor.Acknowledgement(event: event, act: act, action: nil))
    }
  }

  /// Checks the store while no write is in progress.
  private func audit() async {
    let contents = store.ledger.contents
    guard contents.open == 0 else { return }
    do {
      let auditor = try await SimulationAuditor(store.base, contents)
      state.withLockedValue { $0.problems += auditor.problems($0.acknowledged) }
    } catch {
      state.withLockedValue { $0.problems.append("The audit fails with \(error)") }
    }
  }
}

/// The report of a simulation.
package struct SimulationReport: Sendable, CustomStringConvertible {
  package let seed: UInt64
  package let steps: Int
  /// The number of times that a task suspended.
  package let pauses: Int
  /// The number of answers with an event that clients received.
  package let acknowledged: Int
  package let retries: Int
  /// The acts of the clients, and then the events and accounts in the store.
  package let history: [String]
  package let problems: [String]

  /// A digest of the whole history.
  package var digest: UInt64 {
    history.joined(separator: "\n").utf8.reduce(0xCBF2_9CE4_8422_2325) {
      ($0 ^ UInt64($1)) &* 0x100_0000_01B3
    }
  }

  package var description: String {
    "seed \(seed), \(steps) steps: \(problems.joined(separator: "; "))"
  }
}
