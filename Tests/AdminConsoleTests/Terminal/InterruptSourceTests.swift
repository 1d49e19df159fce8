import Foundation
import Testing

@testable import AdminConsole

@Suite(.serialized) struct InterruptSourceTests {
  @Test func `an interrupt raises the flag instead of ending the process`() {
    let flag = InterruptFlag()

    InterruptSource.routing(to: flag) { interrupt() }

    #expect(flag.isRaised)
    flag.lower()
    #expect(!flag.isRaised)
  }

  @Test func `the innermost route wins and the outer one comes back`() {
    let outer = InterruptFlag()
    let inner = InterruptFlag()

    InterruptSource.routing(to: outer) {
      InterruptSource.routing(to: inner) { interrupt() }
      #expect(inner.isRaised && !outer.isRaised)
      interrupt()
    }

    #expect(outer.isRaised)
  }

  @Test func `a handler is given its context`() {
    var count: Int32 = 0

    withUnsafeMutablePointer(to: &count) { pointer in
      InterruptSource.routing(
        to: { $0?.assumingMemoryBound(to: Int32.self).pointee += 1 }, context: pointer
      ) {
        interrupt()
        interrupt()
      }
    }

    #expect(count == 2)
  }

  @Test func `a thrown error ends the route and the former handling is restored`() throws {
    struct Stop: Error {}
    let before = currentHandler()

    #expect(throws: Stop.self) {
      try InterruptSource.routing(to: InterruptFlag()) { throw Stop() }
    }

    #expect(currentHandler() == before)
  }

  @Test func `asynchronous work is interrupted too, and may end in any order`() async {
    let flags = (0..<8).map { _ in InterruptFlag() }
    let before = currentHandler()

    await withTaskGroup(of: Void.self) { group in
      for flag in flags {
        group.addTask {
          for _ in 0..<200 { await InterruptSource.routing(to: flag) { await Task.yield() } }
        }
      }
    }

    #expect(currentHandler() == before)
  }

  /// Sends SIGINT to this thread and returns after it was handled.
  ///
  /// Pool threads block it, because they leave it to the main thread.
  private func interrupt() {
    var mask = sigset_t()
    var before = sigset_t()
    sigemptyset(&mask)
    sigaddset(&mask, SIGINT)
    pthread_sigmask(SIG_UNBLOCK, &mask, &before)
    raise(SIGINT)
    pthread_sigmask(SIG_SETMASK, &before, nil)
  }

  private func currentHandler() -> UInt {
    var action = sigaction()
    sigaction(SIGINT, nil, &action)
    return withUnsafeBytes(of: &action.__sigaction_handler) { $0.load(as: UInt.self) }
  }
}
