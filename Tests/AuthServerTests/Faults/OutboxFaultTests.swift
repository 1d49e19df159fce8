import AuthCore
import AuthTesting
import SQLiteStore
import Synchronization
import Testing

@testable import IdentityToolkitService

/// Failures of the store while events are delivered to the app's server.
@Suite struct `The outbox of a failing store` {
  private final class Sink: OutboxSink {
    private let sequences = Mutex<[Int64]>([])
    var received: [Int64] { sequences.withLock { $0 } }

    func deliver(_ event: AuditEvent) async throws {
      sequences.withLock { $0.append(event.sequence) }
    }
  }

  @Test func `every event arrives, in order, wherever the store fails`() async throws {
    var point = 0
    var wasReached = true
    while wasReached {
      let store = FaultyStore(try SQLiteStore.inMemory())
      let clock = FixedClock()
      let scope = Scope(project: ServerHome.project)
      let sink = Sink()
      let worker = OutboxWorker(store: store, sink: sink, clock: { clock.now })
      try await worker.register()
      for number in 0..<4 {
        let event = AuditEvent(
          id: "event-\(number)", scope: scope, at: clock.now, actor: "anyone", reason: nil,
          action: number == 1 ? .update : .link, accountID: AccountID("ada"))
        try await store.write { _ = try $0.append(event) }
      }
      store.failAfter(point)
      _ = try? await worker.deliverOnce()
      wasReached = !store.isArmed
      store.failAfter(nil)

      // Events taken then stay leased for a while.
      clock.advance(seconds: 3600)
      while try await worker.deliverOnce() > 0 {}

      let first = sink.received.reduce(into: [Int64]()) { known, sequence in
        if !known.contains(sequence) { known.append(sequence) }
      }
      #expect(first.count == 3, "point \(point): \(sink.received)")
      #expect(first == first.sorted())
      #expect(try await store.read { try $0.outbox(after: 0, limit: 10) }.isEmpty)
      point += 1
      try #require(point < 60)
    }
    #expect(point > 5)
  }
}
