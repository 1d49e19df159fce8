import AuthCore
import AuthTesting
import BuiltInProviders
import FakeVendors
import NIOConcurrencyHelpers
import RandomOperations
import TestSupport

/// One of several servers on a store, with a cache of settings and a clock of its own.
final class SimulatedServer: Sendable {
  static let scope = Scope(project: "simulation")
  private static let start = Timestamp(milliseconds: 1_750_000_000_000)

  let graph: AccountGraph
  private let skew: NIOLockedValueBox<Int64>

  init(_ store: SimulatedStore, scheduler: SimulationScheduler) {
    let skew = NIOLockedValueBox(Int64(scheduler.number(below: 4_001)) - 2_000)
    self.skew = skew
    graph = AccountGraph(
      store: SimulatedServerStore(store, scheduler: scheduler),
      providers: ProviderRegistry([
        SimulatedVendor(id: Vendor.honest.id, scheduler: scheduler),
        SimulatedVendor(id: Vendor.careless.id, scheduler: scheduler),
        FakePasswords(), EmailLinkProvider(), AnonymousProvider(),
      ]),
      policies: NoPolicies(), services: GraphServices(secrets: PlainSealing()),
      clock: { Self.start.adding(seconds: (scheduler.now + skew.withLockedValue(\.self)) / 1_000) },
      random: { scheduler.bits() }
    ).openingSessions(by: SimulatedSessions(scheduler: scheduler))
  }

  /// Moves the clock forward or back.
  func jump(milliseconds: Int64) { skew.withLockedValue { $0 += milliseconds } }
}

/// A vendor that answers late, or never.
private struct SimulatedVendor: AuthProvider {
  let id: ProviderID
  let scheduler: SimulationScheduler

  private var people: FakeProvider { FakeProvider(id: id) }
  var manifest: ProviderManifest { people.manifest }

  func verify(
    _ credential: Credential, _ context: VerificationContext
  ) async throws -> VerifiedIdentity {
    await scheduler.pause(atMost: scheduler.happens(oneIn: 15) ? 45_000 : 200)
    if scheduler.happens(oneIn: 15) {
      throw AuthError(.networkRequestFailed, "The vendor did not answer.", step: .exchange)
    }
    return try await people.verify(credential, context)
  }
}

/// Opens a session for each grant.
private struct SimulatedSessions: SessionOpening {
  let scheduler: SimulationScheduler

  func open(_ grant: SessionGrant, in scope: Scope, at now: Timestamp) -> OpenedSession? {
    let id = "session-\(scheduler.bits())"
    return OpenedSession(
      record: SessionRecord(
        id: id, account: grant.account, provider: grant.provider, identity: grant.identity,
        signedInAt: grant.signedInAt, secondFactor: grant.secondFactor, claims: grant.claims,
        createdAt: now, mark: grant.mark),
      refreshToken: Secret(id))
  }
}
