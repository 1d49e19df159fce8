import TestSupport
import Testing

@testable import AuthClient

@Suite(.timeLimit(.minutes(1))) struct UnbrokenWorkTests {
  private struct Fault: Error {}

  @Test func `a value and an error reach the caller`() async throws {
    let value = try await UnbrokenWork.run { begin in
      try begin()
      return 7
    }
    #expect(value == 7)
    await #expect(throws: Fault.self) {
      try await UnbrokenWork<Int>.run { _ in throw Fault() }
    }
  }

  @Test func `work that has begun goes on without its caller`() async throws {
    let (begun, gate, done) = (Gate(), Gate(), Gate())
    let caller = Task {
      try await UnbrokenWork.run { begin in
        try begin()
        begun.open()
        await gate.wait()
        if !Task.isCancelled { done.open() }
      }
    }
    await begun.wait()
    caller.cancel()
    await #expect(throws: CancellationError.self) { try await caller.value }
    gate.open()
    await done.wait()
  }

  @Test func `work that has not begun is given up`() async throws {
    let (waiting, gate, refused) = (Gate(), Gate(), Gate())
    let caller = Task {
      try await UnbrokenWork.run { begin in
        waiting.open()
        await gate.wait()
        do { try begin() } catch { refused.open() }
      }
    }
    await waiting.wait()
    caller.cancel()
    await #expect(throws: CancellationError.self) { try await caller.value }
    gate.open()
    await refused.wait()
  }
}
