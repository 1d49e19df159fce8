import Foundation
import Synchronization
import Testing
import TestSupport

@testable import AuthClient

@Suite(.timeLimit(.minutes(2))) struct ChangesSequenceTests {
  @Test func `the first element is the current user, and every change follows in order`() async {
    let listeners = Listeners<Int>()
    listeners.changed(to: 0, uid: "a", token: "0")
    var states = ChangesSequence(listeners, .state).makeAsyncIterator()
    var tokens = ChangesSequence(listeners, .token).makeAsyncIterator()

    // No iterator takes them yet.
    for number in 1...1000 { listeners.changed(to: number, uid: "a", token: "\(number)") }
    listeners.changed(to: nil, uid: nil, token: nil)

    for number in 0...1000 { #expect(await tokens.next() == .some(number)) }
    #expect(await tokens.next() == .some(.none))
    #expect(await states.next() == .some(0))
    #expect(await states.next() == .some(.none))
  }

  @Test func `a missing user is an element, not the end`() async throws {
    let listeners = Listeners<Int>()
    var states = ChangesSequence(listeners, .state).makeAsyncIterator()
    #expect(try #require(await states.next()) == nil)
    #expect(listeners.count == 1)
  }

  @Test func `each iterator listens for itself, as long as it is there`() async {
    let listeners = Listeners<Int>()
    let changes = ChangesSequence(listeners, .token)
    #expect(listeners.count == 0)
    do {
      var first = changes.makeAsyncIterator()
      var second = changes.makeAsyncIterator()
      #expect(listeners.count == 2)
      _ = await first.next()
      listeners.changed(to: 1, uid: "a", token: "1")
      #expect(await first.next() == .some(1))
      #expect(await second.next() == .some(.none))
      #expect(await second.next() == .some(1))
    }
    #expect(listeners.count == 0)
  }

  @Test func `leaving a loop ends the listening`() async {
    let listeners = Listeners<Int>()
    for await _ in ChangesSequence(listeners, .state) { break }
    #expect(listeners.count == 0)
  }

  @Test func `cancelling the task ends the sequence and the listening`() async throws {
    let listeners = Listeners<Int>()
    let seen = Atomic(0)
    let task = Task {
      for await _ in ChangesSequence(listeners, .state) { seen.add(1, ordering: .relaxed) }
    }
    try await eventually { seen.load(ordering: .relaxed) == 1 }

    task.cancel()
    await task.value

    #expect(listeners.count == 0)
  }

  @Test func `the sequence ends with its source`() async throws {
    var listeners: Listeners<Int>? = Listeners()
    var states = ChangesSequence(try #require(listeners), .state).makeAsyncIterator()
    listeners?.changed(to: 1, uid: "a", token: "1")
    listeners = nil

    #expect(try #require(await states.next()) == nil)
    #expect(try #require(await states.next()) == 1)
    let end: Int?? = await states.next()
    #expect(end == nil)
  }

  @Test @MainActor func `a busy main thread delays nothing`() {
    let listeners = Listeners<Int>()
    let seen = DispatchSemaphore(value: 0)
    let task = Task.detached {
      for await value in ChangesSequence(listeners, .state) where value == 1 { seen.signal() }
    }
    listeners.changed(to: 1, uid: "a", token: "1")

    // The main thread waits here, and the element arrives nevertheless.
    #expect(seen.wait(timeout: .now() + 60) == .success)
    task.cancel()
  }
}
