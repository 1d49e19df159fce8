import AuthCore
import AuthTesting
import BuiltInProviders
import FakeVendors
import RandomOperations
import TestSupport

/// The decision on a case, and its request if a fault altered that.
struct SnapshotDecision: Sendable {
  var request: LinkRequest
  var decision: Decision
  var trace: Trace
}

/// The rules under test, with the planning of their decisions; no store is used.
struct SnapshotRules: Sendable {
  private let graph: AccountGraph
  private let fault: PlantedRule?

  init(_ fault: PlantedRule? = nil) {
    self.fault = fault
    let random = StepRandom()
    graph = AccountGraph(
      store: WorldStore(),
      providers: ProviderRegistry(
        SnapshotNames.providers.map { FakeProvider(id: $0) }
          + [FakePasswords(), EmailLinkProvider()]),
      policies: MergingPolicy(), services: GraphServices(secrets: PlainSealing()),
      clock: { SnapshotNames.now }, random: { random.next() })
  }

  func decide(_ state: SnapshotCase) -> SnapshotDecision {
    let plain = Self.decision(on: state)
    return fault?.changed(plain, on: state) ?? plain
  }

  func outcome(of decided: SnapshotDecision, on state: SnapshotCase) throws -> LinkOutcome {
    try graph.outcome(
      of: decided.request, decided: decided.decision, decided.trace, shown: state.shown,
      by: state.caller, newID: SnapshotNames.newUID, at: SnapshotNames.now, state.snapshot)
  }

  /// Returns the rules' decision on a case, with another request, caller or snapshot if one is given.
  static func decision(
    on state: SnapshotCase, _ request: LinkRequest? = nil, by caller: Caller? = nil,
    _ snapshot: Snapshot? = nil
  ) -> SnapshotDecision {
    let request = request ?? state.request
    let (decision, trace) = LinkRules.decide(
      request, by: caller ?? state.caller, shown: state.shown, at: SnapshotNames.now,
      snapshot ?? state.snapshot)
    return SnapshotDecision(request: request, decision: decision, trace: trace)
  }
}
