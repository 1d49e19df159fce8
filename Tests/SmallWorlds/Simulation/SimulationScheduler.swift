import AuthTesting
import Foundation
import NIOConcurrencyHelpers

/// Schedules every task's next step: it runs one at a time on one thread, in an order that a seed decides.
///
/// Time stands still while a task can run, and then advances to the next task's time.
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
    /// The number of steps from another thread.
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

  /// Runs a task and its subtasks, until none of them can continue.
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

  /// Suspends the task for a while of simulated time.
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

  /// The number of times that a task suspended.
  var pauses: Int { state.withLockedValue(\.pauses) }

  /// The number of steps outside the scheduler, whose order is not reproducible.
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
