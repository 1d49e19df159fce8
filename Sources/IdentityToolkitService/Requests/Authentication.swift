import AuthCore
import IdentityToolkit

/// What an admin's token allows.
public struct AdminRight: Sendable, Hashable {
  /// The name that the audit keeps.
  public let name: String
  /// Words such as `accounts:read`; `all` allows everything.
  public let scopes: Set<String>

  public init(name: String, scopes: Set<String>) {
    self.name = name
    self.scopes = scopes
  }

  func allows(_ scope: String) -> Bool {
    scopes.contains("all") || scopes.contains(scope)
      || (scope == "accounts:read" && scopes.contains("accounts:write"))
  }
}

/// Says who asks: a client with an API key, or an admin with a bearer token.
struct Authentication: Sendable {
  /// The project that the key or the token belongs to.
  let project: String
  /// What the bearer may do; nil for a client.
  let admin: AdminRight?

  /// Throws Firebase's 403 where nothing was given, and its 401 for a bearer that nobody knows.
  init(
    _ request: ServerRequest, parameters: [String: String], for access: Route.Access,
    _ services: ServerServices
  ) async throws {
    let settings = services.settings
    if access == .open {
      (project, admin) = (settings.project, nil)
      return
    }
    if access != .key, let token = Self.bearer(request) {
      guard let right = try await Self.right(token, services) else {
        throw WireError.unauthenticated
      }
      (project, admin) = (settings.project, right)
      return
    }
    if case .admin = access { throw WireError.missingAuthentication }
    let key = parameters["key"] ?? request.headers["x-goog-api-key"]
    guard let key, !key.isEmpty else { throw WireError.missingKey }
    admin = nil
    if settings.apiKeys.isEmpty || services.mode == .emulator {
      project = settings.project
    } else {
      guard let owner = settings.apiKeys[key] else { throw WireError.invalidKey }
      project = owner
    }
  }

  private static func bearer(_ request: ServerRequest) -> String? {
    guard let header = request.headers["authorization"] else { return nil }
    let parts = header.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: true)
    guard parts.count == 2, parts[0].lowercased() == "bearer" else { return nil }
    return parts[1].trimmingPrefix(while: { $0 == " " }).description
  }

  private static func right(
    _ token: String, _ services: ServerServices
  ) async throws -> AdminRight? {
    guard services.mode == .emulator else {
      return try await services.admins(token, services.settings.project)
    }
    guard token.lowercased() == "owner" || token.hasPrefix("ya29.") else { return nil }
    return AdminRight(name: "owner", scopes: ["all"])
  }
}

extension WireError {
  /// A route for admins alone, asked without a bearer.
  static var missingAuthentication: WireError {
    var error = WireError(
      status: 401,
      message: "Request is missing required authentication credential. Expected OAuth 2 access "
        + "token, login cookie or other valid authentication credential.",
      canonicalStatus: "UNAUTHENTICATED", reason: "required")
    error.itemMessage = "Login Required."
    error.location = "Authorization"
    error.locationType = "header"
    return error
  }

  /// An admin's token without the scope that the operation needs.
  static func missingScope(_ scope: String) -> WireError {
    WireError(
      status: 403, message: "The admin token lacks the scope \(scope).",
      canonicalStatus: "PERMISSION_DENIED", reason: "forbidden")
  }
}
