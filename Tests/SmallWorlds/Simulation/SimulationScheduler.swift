import AuthTesting
import Foundation
import NIOConcurrencyHelpers

/// Owns every task's next step: runs one at a time on one thread, in an order that a seed decides.
///
/// Time stands still while anything can be done, then goes on to the moment for which the next task waits.
final class SimulationScheduler: TaskExecutor {
  private struct Sleeper {
    let due: Int64
    let number: Int
    let continuation: CheckedContinuation<Void, Never>
  }

  private struct State {
    var ready: [UnownedJob] = []
    var sleepers: [Sleeper] = []
    var now: Int64 = 0
    var pauses = 0
    /// The thread that runs everything.
    var home: ObjectIdentifier?
    /// How many steps came from another one.
    var strays = 0
    var generator: SeededGenerator

    mutating func count(_ thread: Thread) {
      if ObjectIdentifier(thread) != home { strays += 1 }
    }

    mutating func next() -> Next? {
      if !ready.isEmpty {
        return .job(ready.remove(at: Int.random(in: ready.indices, using: &generator)))
      }
      guard
        let place = sleepers.indices.min(by: {
          (sleepers[$0].due, sleepers[$0].number) < (sleepers[$1].due, sleepers[$1].number)
        })
      else { return nil }
      let sleeper = sleepers.remove(at: place)
      now = max(now, sleeper.due)
      return .wake(sleeper.continuation)
    }
  }

  private enum Next {
    case job(UnownedJob)
    case wake(CheckedContinuation<Void, Never>)
  }

  private let state: NIOLockedValueBox<State>

  init(seed: UInt64) {
    state = NIOLockedValueBox(State(generator: SeededGenerator(seed: seed)))
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    state.withLockedValue { state in
      state.count(Thread.current)
      state.ready.append(job)
    }
  }

  /// Runs a task and those that it starts, until none of them can go on.
  func run(_ body: @escaping @Sendable () async -> Void) async {
    await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
      Thread.detachNewThread {
        self.state.withLockedValue { $0.home = ObjectIdentifier(Thread.current) }
        Task(executorPreference: self) { await body() }
        while let next = self.state.withLockedValue({ $0.next() }) {
          switch next {
          case .job(let job): job.runSynchronously(on: self.asUnownedTaskExecutor())
          case .wake(let continuation): continuation.resume()
          }
        }
        done.resume()
      }
    }
  }

  /// Lets others go on, for a while of simulated time.
  func pause(atMost milliseconds: Int64 = 20) async {
    await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
      state.withLockedValue { state in
        state.count(Thread.current)
        let delay = Int64.random(in: 1...milliseconds, using: &state.generator)
        state.pauses += 1
        state.sleepers.append(
          Sleeper(due: state.now + delay, number: state.pauses, continuation: continuation))
      }
    }
  }

  /// The simulated milliseconds since the beginning.
  var now: Int64 { state.withLockedValue(\.now) }

  /// How often a task let others go on.
  var pauses: Int { state.withLockedValue(\.pauses) }

  /// How many steps were not the scheduler's own, which have no order that comes again.
  var strays: Int { state.withLockedValue(\.strays) }

  func bits() -> UInt64 { state.withLockedValue { $0.generator.next() } }

  func number(below end: Int) -> Int {
    state.withLockedValue { Int.random(in: 0..<end, using: &$0.generator) }
  }

  func happens(oneIn count: Int) -> Bool { number(below: count) == 0 }

  func pick<Element>(_ elements: [Element]) -> Element? {
    elements.isEmpty ? nil : elements[number(below: elements.count)]
  }
}
