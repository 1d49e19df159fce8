import AuthCore
import IdentityToolkit

/// Decisions on accepting and answering requests, for all operations.
protocol RequestBehavior: Sendable {
  /// True if JSON is written over several lines.
  var spreadsJSON: Bool { get }
  /// Tells whether operations have this form of their path.
  func takes(_ path: RoutePath) -> Bool
  /// Tells whether requests may name a project.
  func serves(_ project: String, _ settings: ServerSettings) -> Bool
  /// Notes or refuses a project that a request names, if the admin expects no other.
  func meet(_ project: String, _ services: ServerServices) throws(WireError)
  /// Returns the project of a client's API key; throws Firebase's 400 for an unknown one.
  func project(ofKey key: String, _ settings: ServerSettings) throws(WireError) -> String
  /// Returns the right of a bearer token, or nil for an unknown one. A named project is searched first.
  func right(
    of token: String, named project: String?, _ services: ServerServices
  ) async throws -> AdminRight?
  /// Returns the limits that requests are counted against.
  func rateLimits(_ settings: ServerSettings) -> RateLimits
  /// Refuses an unknown field; nil if every field is known.
  func refuse(unknown name: String?) throws(WireError)
  /// Refuses a field that an object inside a body does not have.
  func refuseUnknown(in body: WireFields, among fields: [RouteField]) throws(WireError)
  /// Returns the answer to a refusal of the settings.
  func told(_ error: AuthError) -> WireError
  /// Converts an error to the one that clients see.
  func wireError(_ error: any Error) -> WireError
  /// Creates a project or tenant that does not exist, if the mode allows it.
  ///
  /// Returns true if it exists now. Throws `TENANT_NOT_FOUND` for a tenant that was not created.
  func open(_ scope: Scope, _ scopes: KnownScopes) async throws -> Bool
  /// Checks a request before its operation does.
  func check(_ call: Call, for route: Route) throws
  /// The answer at the server's root path.
  var frontPage: JSONValue { get }
}

extension RequestBehavior {
  var spreadsJSON: Bool { false }
  func takes(_ path: RoutePath) -> Bool { true }

  func serves(_ project: String, _ settings: ServerSettings) -> Bool { settings.serves(project) }

  func meet(_ project: String, _ services: ServerServices) throws(WireError) {}

  func project(ofKey key: String, _ settings: ServerSettings) throws(WireError) -> String {
    if settings.apiKeys.isEmpty { return settings.project }
    guard let owner = settings.apiKeys[key] else { throw WireError.invalidKey }
    return owner
  }

  func right(
    of token: String, named project: String?, _ services: ServerServices
  ) async throws -> AdminRight? {
    try await services.admins(token, services.settings.served(first: project))
  }

  func rateLimits(_ settings: ServerSettings) -> RateLimits { settings.rateLimits }

  func refuse(unknown name: String?) throws(WireError) {
    guard let name else { return }
    throw .unknownName("/\(name)")
  }

  func refuseUnknown(in body: WireFields, among fields: [RouteField]) throws(WireError) {
    if let path = try fields.unknownName(in: body) { throw .unknownName(path) }
  }

  func wireError(_ error: any Error) -> WireError {
    guard let error = error as? AuthError else { return Dispatcher.wireError(error).inGooglesWords }
    return WireError(telling: error)
  }

  func told(_ error: AuthError) -> WireError { WireError(telling: error) }

  func open(_ scope: Scope, _ scopes: KnownScopes) async throws -> Bool {
    guard scope.tenant == nil else { throw WireError("TENANT_NOT_FOUND") }
    return false
  }

  func check(_ call: Call, for route: Route) throws {}

  var frontPage: JSONValue {
    ["name": "AuthGraph", "health": ["live": "/health", "ready": "/ready"]]
  }
}
