package import AuthCore
import FakeVendors
import Foundation
import TestSupport

/// The graph that random operations are done to: two providers, of which one is trusted, and no policies.
package struct RandomGraph: Sendable {
  package static let scope = Scope(project: "random")
  package let graph: AccountGraph

  /// `random` makes uids and event IDs, and so decides which of several accounts comes first.
  package init(
    store: any AccountStore,
    random: @escaping @Sendable () -> UInt64 = { UInt64.random(in: .min ... .max) }
  ) {
    graph = AccountGraph(
      store: store,
      providers: ProviderRegistry([
        FakeProvider(id: Operation.Claim.trusted), FakeProvider(id: Operation.Claim.untrusted),
        FakePasswords(),
      ]),
      policies: NoPolicies(), services: GraphServices(secrets: PlainSealing()),
      random: random)
  }

  /// Trusts the one provider; done once for a store.
  package func prepare() async throws {
    let admin = Caller(scope: Self.scope, authority: .admin("test"))
    _ = try await graph.changeSettings(by: admin) { $0.trust[Operation.Claim.trusted] = .always }
  }

  /// Runs the parts of some writers in a round at once, and returns their operations.
  package func write(_ order: RoundOrder) async throws -> [OperationRecord] {
    try await withThrowingTaskGroup(of: [OperationRecord].self) { group in
      for writer in order.writers {
        group.addTask { try await write(order, as: writer) }
      }
      return try await group.reduce(into: []) { $0 += $1 }
    }
  }

  private func write(_ order: RoundOrder, as writer: Int) async throws -> [OperationRecord] {
    var operations = order.operations(of: writer)
    var records: [OperationRecord] = []
    for number in 0..<order.count {
      let operation = try operations.next()
      let start = Self.nanoseconds
      let result = try await operation.perform(on: graph, in: Self.scope)
      records.append(
        OperationRecord(
          writer: writer, number: number, start: start, end: Self.nanoseconds,
          event: result.event, error: result.error.map { "\($0)" },
          isUnavailable: result.error?.code == .storeUnavailable, session: result.session))
    }
    return records
  }

  /// A clock that is the same in all processes of the machine.
  private static var nanoseconds: UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }
}
