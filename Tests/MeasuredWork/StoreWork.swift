public import AuthCore
import AuthTesting
import BuiltInProviders
import FakeVendors
import Foundation
public import LuaPlugins
import NIOConcurrencyHelpers

/// Does the operations on a store, behind the graph if something is decided.
public final class StoreWork: Sendable {
  public let store: any AccountStore
  private let graph: AccountGraph
  /// The account before the next page, or nil for the first page.
  private let place = NIOLockedValueBox<AccountID?>(nil)

  public init(_ store: any AccountStore, policies: LuaPolicyCompiler = LuaPolicyCompiler()) {
    self.store = store
    graph = AccountGraph(
      store: store,
      providers: ProviderRegistry([FakeProvider(id: Workload.linked), FakeProvider(id: .google)]),
      // A merge that takes a verified address away keeps a sealed code for it.
      policies: policies, services: GraphServices(secrets: EphemeralSealing()))
  }

  /// Runs a closure with the settings that the operation needs.
  public func prepared<Value>(
    for operation: StoreOperation, isolation: isolated (any Actor)? = #isolation,
    _ body: () async throws -> Value
  ) async throws -> Value {
    guard operation == .policyMerge else { return try await body() }
    let usual = try await store.settings(of: Workload.scope)
    try await usePolicy()
    let value = try await body()
    try await store.write { try $0.save(usual, for: Workload.scope) }
    return value
  }

  /// Returns the first accounts that a search finds.
  public func accounts(found search: TextSearch, limit: Int) async throws -> [Account] {
    try await graph.accounts(found: search, limit: limit, in: Workload.scope)
  }

  /// Does an operation once: on one account of `people`, or on two neighbours if it is a merge.
  public func perform(
    _ operation: StoreOperation, on people: [Person], at index: Int
  ) async throws {
    let scope = Workload.scope
    switch operation {
    case .signIn:
      let key = IdentityKey(.google, subject: people[index].google)
      let account = try await store.read(from: .replica) { reader in
        try reader.account(owning: key, in: scope)
      }
      guard account?.identities.count ?? 0 >= 3 else {
        throw AuthError(.userNotFound, "An account is not there.")
      }
    case .link:
      let person = people[index]
      let credential = try FakeProvider(id: Workload.linked).credential(
        subject: person.github, email: person.email, emailVerified: true,
        displayName: person.name, photoURL: person.photo)
      _ = try await graph.link(credential, to: person.id, by: session(person.id))
    case .unlink:
      let id = people[index].id
      _ = try await graph.unlink(Workload.linked, from: id, by: session(id))
    case .merge:
      let plan = try await graph.planMerge(
        keep: people[2 * index].id, absorb: people[2 * index + 1].id, in: scope)
      _ = try await graph.commit(plan, by: Caller(scope: scope, authority: .admin("bench")))
    case .policyMerge:
      let (current, other) = (people[2 * index], people[2 * index + 1])
      let credential = try FakeProvider(id: .google).credential(
        subject: other.google, email: other.email, emailVerified: true)
      let receipt = try await graph.link(credential, to: current.id, by: session(current.id))
      guard receipt.action == .merge else {
        throw AuthError(.internalError, "The policy did not merge.")
      }
    case .list: _ = try await nextPage()
    case .listJSON:
      let page = try await nextPage()
      var writer = JSONWriter()
      for account in page { writer.object(account.writeMembers) }
      guard writer.count >= page.count else {
        throw AuthError(.internalError, "A page was not written.")
      }
    }
  }

  private func nextPage() async throws -> [Account] {
    let after = place.withLockedValue(\.self)
    let page = try await graph.accounts(after: after, limit: 1000, in: Workload.scope)
    place.withLockedValue { $0 = page.count < 1000 ? nil : page.last?.id }
    return page
  }

  /// Lets the policy answer conflicts, and accounts have what both of them had.
  private func usePolicy() async throws {
    try await store.write { writer in
      var settings = try writer.settings(of: Workload.scope)
      settings.mergePolicy = PolicyWork.source
      settings.identitiesPerProvider = .many
      try writer.save(settings, for: Workload.scope)
    }
  }

  /// A session that has just begun; an unlink ends sessions that began before the next full second.
  private func session(_ id: AccountID) -> Caller {
    let begun = Timestamp.now().adding(seconds: 2)
    return Caller(
      scope: Workload.scope, authority: .session(id, signedInAt: begun, secondFactor: false))
  }
}
