import Foundation
import NIOConcurrencyHelpers

/// A thread that owns a state and runs jobs on it, one after the other.
///
/// Statements block their thread, which no thread of Swift's cooperative pool may do. Its priority is lower than that
/// of the server's other threads, so that a busy script takes only what they leave.
final class ConsoleThread: Sendable {
  typealias Job = @Sendable (AdminState) -> Void

  private struct State {
    var jobs: [Job] = []
    var isOver = false
  }

  private let state = NIOLockedValueBox(State())
  private let isThere = DispatchSemaphore(value: 0)

  private static let stackBytes = 8 << 20
  /// The nice value on Linux, where each thread has its own.
  private static let niceness: Int32 = 10

  /// Starts the thread, which makes its state first; `failed` gets the error if that is not possible.
  init(
    _ make: @escaping @Sendable () throws -> AdminState,
    failed: @escaping @Sendable (any Error) -> Void
  ) {
    let (state, isThere) = (state, isThere)
    let thread = Thread {
      #if os(Linux)
        setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, Self.niceness)
      #endif
      do {
        let admin = try make()
        while true {
          isThere.wait()
          let (job, isOver) = state.withLockedValue { state in
            (state.jobs.isEmpty ? nil : state.jobs.removeFirst(), state.isOver)
          }
          if let job { job(admin) } else if isOver { return }
        }
      } catch {
        failed(error)
      }
    }
    thread.name = "console"
    thread.stackSize = Self.stackBytes
    thread.start()
  }

  /// Runs a job after those before it; returns false if the thread has ended.
  @discardableResult
  func run(_ job: @escaping Job) -> Bool {
    let isTaken = state.withLockedValue { state in
      guard !state.isOver else { return false }
      state.jobs.append(job)
      return true
    }
    if isTaken { isThere.signal() }
    return isTaken
  }

  /// Ends the thread after its jobs.
  func end() {
    state.withLockedValue { $0.isOver = true }
    isThere.signal()
  }
}
