import AuthCore
import IdentityToolkit
import SessionTokens

/// An authenticated request with its scope resolved, as handlers see it.
struct Call: Sendable {
  let services: ServerServices
  let project: String
  let tenant: String?
  /// The right of the admin's token; nil for a client.
  let right: AdminRight?
  /// The path's values for the names in the pattern, such as `{tenant}`.
  let path: [String: String]
  let query: WireFields
  let body: WireFields
  /// The body as it was sent, for a route that reads it itself.
  var bytes: [UInt8] = []
  let client: ClientDescription
  /// Header fields, by their names in lower case.
  let headers: [String: String]
  /// The body's ID token, parsed but not verified.
  var idToken: UncheckedIDToken?
  /// The session of the body's refresh token.
  var refreshedSession: SessionRecord?

  var scope: Scope { Scope(project: project, tenant: tenant) }
  var isPrivileged: Bool { right != nil }
  /// True if answers include password hashes.
  ///
  /// Read-only tokens never see them: they could be cracked offline.
  var seesHashes: Bool { right?.allows("accounts:write") ?? false }
  /// True for an admin who may read the secrets of OpenID Connect configurations.
  var seesSecrets: Bool { right?.allows("secrets") ?? false }
  /// True for an admin who may read accounts, and so the values in their events.
  var seesAccounts: Bool { right?.allows("accounts:read") ?? false }
  var behavior: any ServiceBehavior { services.behavior }
  var graph: AccountGraph { services.graph }

  /// The caller, before any ID token is checked.
  var caller: Caller {
    var caller = Caller(scope: scope, authority: right.map { .admin($0.name) } ?? .anyone)
    caller.client = client
    return caller
  }

  func settings() async throws -> ProjectSettings { try await graph.settings(of: scope) }
}

/// A handler's result.
enum Answer: Sendable {
  case json(JSONValue, status: Int = 200, headers: [String: String] = [:])
  case record(any JSONRecord & Sendable)
  case page(String, status: Int = 200, headers: [String: String] = [:])
  case text(String, type: String)
  case reply([UInt8], type: String, status: Int, headers: [String: String] = [:])
  case redirect(String, status: Int = 303, headers: [String: String] = [:])
}
