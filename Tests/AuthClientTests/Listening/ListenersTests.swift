import Foundation
import NIOConcurrencyHelpers
import Testing

@testable import AuthClient

@Suite(.timeLimit(.minutes(2))) struct ListenersTests {
  /// The values passed to listeners; traps for a call outside of the main queue.
  ///
  /// The queue and not the thread counts: without a run loop, other threads serve it on Linux.
  private final class Log: Sendable {
    private let state = NIOLockedValueBox<[String]>([])

    func add(_ entry: String) {
      dispatchPrecondition(condition: .onQueue(.main))
      state.withLockedValue { $0.append(entry) }
    }

    var entries: [String] { state.withLockedValue { $0 } }
  }

  private final class Kept {
    var handle: (any NSObjectProtocol)?
  }

  /// Waits until the main queue has done its present work.
  private func mainQueue() async {
    await withCheckedContinuation { waiter in DispatchQueue.main.async { waiter.resume() } }
  }

  @Test func `a listener hears the current user soon, on the main queue`() async {
    let listeners = Listeners<String>()
    let log = Log()
    listeners.changed(to: "ada", uid: "a", token: "1")

    _ = listeners.add(.state) { log.add("state \($0 ?? "nil")") }
    _ = listeners.add(.token) { log.add("token \($0 ?? "nil")") }
    listeners.changed(to: nil, uid: nil, token: nil)
    await mainQueue()

    #expect(log.entries == ["state ada", "token ada", "state nil", "token nil"])
  }

  @Test @MainActor func `no listener is called during its registration`() async {
    let listeners = Listeners<String>()
    let log = Log()

    _ = listeners.add(.token) { log.add($0 ?? "nil") }
    listeners.changed(to: "ada", uid: "a", token: "1")
    #expect(log.entries == [])

    await mainQueue()
    #expect(log.entries == ["nil", "ada"])
  }

  @Test func `a state listener hears of other users only, a token listener of other tokens`() async
  {
    let listeners = Listeners<String>()
    let log = Log()
    _ = listeners.add(.state) { log.add("state \($0 ?? "nil")") }
    _ = listeners.add(.token) { log.add("token \($0 ?? "nil")") }

    listeners.changed(to: nil, uid: nil, token: nil)
    listeners.changed(to: "ada", uid: "a", token: "1")
    listeners.changed(to: "ada renamed", uid: "a", token: "1")
    listeners.changed(to: "ada refreshed", uid: "a", token: "2")
    listeners.changed(to: "bo", uid: "b", token: "3")
    listeners.changed(to: nil, uid: nil, token: nil)
    await mainQueue()

    #expect(
      log.entries == [
        "state nil", "token nil", "state ada", "token ada", "token ada refreshed", "state bo",
        "token bo", "state nil", "token nil",
      ])
  }

  @Test func `the announcement comes before the listeners, and only with another token`() async {
    let listeners = Listeners<String>()
    let log = Log()
    _ = listeners.add(.token) { log.add($0 ?? "nil") }
    for token in ["1", "1", "2"] {
      listeners.changed(to: "ada \(token)", uid: "a", token: token) { log.add("announced") }
    }
    await mainQueue()

    #expect(log.entries == ["nil", "announced", "ada 1", "announced", "ada 2"])
  }

  @Test @MainActor func `a removal stops even the calls that are under way`() async {
    let listeners = Listeners<String>()
    let log = Log()
    let first = listeners.add(.state) { log.add("first \($0 ?? "nil")") }
    let second = listeners.add(.token) { log.add("second \($0 ?? "nil")") }
    listeners.changed(to: "ada", uid: "a", token: "1")

    listeners.remove(first)
    listeners.remove(first)
    await mainQueue()
    listeners.remove(second)
    listeners.changed(to: "bo", uid: "b", token: "2")
    await mainQueue()

    #expect(log.entries == ["second nil", "second ada"])
    #expect(listeners.count == 0)
  }

  @Test @MainActor func `a listener may remove itself, and its closure is let go`() async {
    let listeners = Listeners<String>()
    let log = Log()
    weak var held: Log?
    do {
      let own = Log()
      held = own
      let kept = Kept()
      kept.handle = listeners.add(.token) { value in
        own.add("")
        log.add(value ?? "nil")
        if value == "ada", let handle = kept.handle { listeners.remove(handle) }
      }
      listeners.changed(to: "ada", uid: "a", token: "1")
      listeners.changed(to: "bo", uid: "b", token: "2")
      await mainQueue()
    }
    await mainQueue()

    #expect(log.entries == ["nil", "ada"])
    #expect(held == nil)
  }

  @Test func `an unknown handle removes nothing`() async {
    let listeners = Listeners<String>()
    let others = Listeners<String>()
    let log = Log()
    _ = listeners.add(.state) { log.add($0 ?? "nil") }

    listeners.remove(others.add(.state) { _ in })
    listeners.remove(NSObject())
    await mainQueue()

    #expect(log.entries == ["nil"])
    #expect(listeners.count == 1)
    #expect(others.count == 1)
  }

  @Test func `changes of many threads reach every listener in one order`() async {
    let listeners = Listeners<Int>()
    let logs = (0..<4).map { _ in Log() }
    for log in logs { _ = listeners.add(.token) { log.add("\($0 ?? -1)") } }

    await withTaskGroup { group in
      for worker in 0..<4 {
        group.addTask {
          for round in 0..<250 {
            let number = worker * 1000 + round
            listeners.changed(to: number, uid: "\(worker)", token: "\(number)")
          }
        }
      }
    }
    await mainQueue()

    #expect(logs[0].entries.count == 1001)
    #expect(Set(logs[0].entries).count == 1001)
    for log in logs { #expect(log.entries == logs[0].entries) }
  }

  @Test func `registering, changing and removing at once do no harm`() async {
    let listeners = Listeners<Int>()
    await withTaskGroup { group in
      for worker in 0..<6 {
        group.addTask {
          for round in 0..<100 {
            let handle = listeners.add(worker.isMultiple(of: 2) ? .state : .token) { _ in }
            listeners.changed(to: round, uid: "\(round)", token: "\(worker)-\(round)")
            var iterator = ChangesSequence(listeners, .token).makeAsyncIterator()
            _ = await iterator.next()
            listeners.remove(handle)
          }
        }
      }
    }
    await mainQueue()
    #expect(listeners.count == 0)
  }
}
