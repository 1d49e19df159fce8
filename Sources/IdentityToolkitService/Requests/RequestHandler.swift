import AuthCore
import IdentityToolkit

/// The operations of one resource, over a call.
protocol RequestHandler: Sendable {
  var call: Call { get }

  init(call: Call)
}

/// The members of a call that every resource uses.
extension RequestHandler {
  init(_ call: Call) { self.init(call: call) }

  var services: ServerServices { call.services }
  var behavior: any ServiceBehavior { call.behavior }
  var graph: AccountGraph { call.graph }
  var letters: ActionLetters { ActionLetters(call: call) }

  var project: String { call.project }
  var tenant: String? { call.tenant }
  var scope: Scope { call.scope }
  var isPrivileged: Bool { call.isPrivileged }
  var caller: Caller { call.caller }
  var client: ClientDescription { call.client }

  var path: [String: String] { call.path }
  var query: WireFields { call.query }
  var body: WireFields { call.body }

  func settings() async throws -> ProjectSettings { try await call.settings() }

  /// Tells whether clients may sign in with a provider.
  func isOpen(_ provider: ProviderID) async throws -> Bool {
    try await graph.isOpen(provider, in: scope)
  }
}
