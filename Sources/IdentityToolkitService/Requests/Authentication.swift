import AuthCore
import IdentityToolkit
import SessionTokens

/// The caller of a request: a client with an API key, or an admin with a bearer token.
///
/// Only the head of a request is needed, so a caller without key or token is refused before the body is read.
struct Authentication: Sendable {
  /// The project of the key, or the server's default one for an admin.
  let project: String
  /// The right of the bearer; nil for a client.
  let admin: AdminRight?

  /// Identifies the caller.
  ///
  /// Throws Firebase's 403 if there is no key or token, its 401 for an unknown bearer, and its 400 for an unknown key,
  /// which ``RequestBehavior/project(ofKey:_:)`` looks up.
  ///
  /// `named` is the project of the path, in which a token is looked up first.
  init(
    _ head: RequestHead, _ parameters: [String: String], for access: Route.Access,
    named: String?, _ services: ServerServices
  ) async throws {
    let settings = services.settings
    if access == .open {
      (project, admin) = (settings.project, nil)
      return
    }
    if access != .key, let token = head.bearer {
      guard let right = try await services.behavior.right(of: token, named: named, services) else {
        throw WireError.unauthenticated
      }
      (project, admin) = (settings.project, right)
      return
    }
    guard access == .keyOrAdmin || access == .key else { throw WireError.missingAuthentication }
    let key = parameters["key"] ?? head.headers["x-goog-api-key"]
    guard let key, !key.isEmpty else { throw WireError.missingKey }
    admin = nil
    project = try services.behavior.project(ofKey: key, settings)
  }

  /// Finds the project of a request, by the name in its path or its body.
  ///
  /// Throws `INSUFFICIENT_PERMISSION` for a client that names one, `PERMISSION_DENIED` for an admin's token of another
  /// project, and `CONFIGURATION_NOT_FOUND` for a project that is not served; an emulator of one project
  /// `INVALID_PROJECT_ID`.
  func project(
    named name: String?, for route: Route, _ services: ServerServices
  ) throws(WireError) -> String {
    let settings = services.settings
    if name != nil, admin == nil, [.keyOrAdmin, .key].contains(route.access) {
      throw WireError(
        "INSUFFICIENT_PERMISSION", "Only authenticated requests can specify target_project_id.")
    }
    let named = name.map(settings.projectID) ?? project
    if let admin, !route.isOfServer, !admin.opens(named) { throw .foreignProject }
    guard name == nil || services.behavior.serves(named, settings) else {
      throw WireError("CONFIGURATION_NOT_FOUND")
    }
    try services.behavior.meet(named, services)
    return named
  }
}

extension WireError {
  /// The error of an admin's operation that is called without a bearer.
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
}
