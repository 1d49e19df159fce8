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
    var isGone = false
    var waiting: [CheckedContinuation<Void, Never>] = []
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
      defer {
        let waiting = state.withLockedValue { state in
          state.isGone = true
          defer { state.waiting = [] }
          return state.waiting
        }
        for continuation in waiting { continuation.resume() }
      }
      do {
        let admin = try make()
        defer { admin.session.end() }
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

  /// Waits until the thread has ended.
  func ended() async {
    await withCheckedContinuation { continuation in
      let isGone = state.withLockedValue { state in
        if !state.isGone { state.waiting.append(continuation) }
        return state.isGone
      }
      if isGone { continuation.resume() }
    }
  }

  /// Ends the thread after its jobs.
  func end() {
    state.withLockedValue { $0.isOver = true }
    isThere.signal()
  }
}
