import AuthCore
import IdentityToolkit
import SessionTokens

/// One request, authenticated and with its scope resolved, as a handler sees it.
struct Call: Sendable {
  let services: ServerServices
  let project: String
  let tenant: String?
  /// The right of the admin's token; nil for a client.
  let right: AdminRight?
  /// What stood in the path in place of the pattern's names, such as `{tenant}`.
  let path: [String: String]
  let query: WireFields
  let body: WireFields
  let client: ClientDescription
  /// Header fields by their names in lower case.
  let headers: [String: String]
  /// The body's ID token, read and not checked.
  var idToken: UncheckedIDToken?
  /// The session of the body's refresh token.
  var refreshedSession: SessionRecord?

  var scope: Scope { Scope(project: project, tenant: tenant) }
  var isPrivileged: Bool { right != nil }
  /// Whether password hashes are included.
  ///
  /// Read-only tokens never see them: they could be cracked offline.
  var seesHashes: Bool { right?.allows("accounts:write") ?? false }
  var behavior: any ServiceBehavior { services.behavior }
  var graph: AccountGraph { services.graph }

  /// Who asks, before any ID token is looked at.
  var caller: Caller {
    var caller = Caller(scope: scope, authority: right.map { .admin($0.name) } ?? .anyone)
    caller.client = client
    return caller
  }

  func settings() async throws -> ProjectSettings { try await graph.settings(of: scope) }
}

/// What a handler gives back.
enum Answer: Sendable {
  case json(JSONValue, status: Int = 200, headers: [String: String] = [:])
  case record(any JSONRecord & Sendable)
  case page(String, status: Int = 200, headers: [String: String] = [:])
  case text(String, type: String)
  case redirect(String, status: Int = 303, headers: [String: String] = [:])
}
