import AuthCore
import IdentityToolkit
import SessionTokens

/// Finds the project and the tenant of a request, from its path, its body and the tokens in it.
struct ScopeResolution {
  let services: ServerServices
  let who: Authentication
  let access: Route.Access
  private(set) var project: String
  private(set) var tenant: String?
  /// The body's ID token, where it has one.
  private(set) var idToken: UncheckedIDToken?

  init(services: ServerServices, who: Authentication, access: Route.Access) {
    self.services = services
    self.who = who
    self.access = access
    project = who.project
  }

  var scope: Scope { Scope(project: project, tenant: tenant) }

  mutating func readProject(
    path: String?, body: WireFields, mustBeNamed: Bool
  ) throws {
    let named = try path ?? body.filled("targetProjectId")
    guard let named else {
      if mustBeNamed { throw WireError("INSUFFICIENT_PERMISSION") }
      return
    }
    if [.keyOrAdmin, .key].contains(access) && who.admin == nil {
      throw WireError(
        "INSUFFICIENT_PERMISSION",
        "Only authenticated requests can specify target_project_id.")
    }
    let settings = services.settings
    let isServed =
      services.mode == .emulator || named == settings.project || settings.projects.contains(named)
      || named == settings.projectNumber
    guard isServed else { throw WireError("CONFIGURATION_NOT_FOUND") }
    project = named == settings.projectNumber ? settings.project : named
  }

  mutating func readTenant(
    path: String?, body: WireFields, query: WireFields
  ) throws {
    let sent = try body.filled("tenantId") ?? query.filled("tenantId")
    if let path, let sent, path != sent { throw WireError("TENANT_ID_MISMATCH") }
    tenant = path ?? sent
  }

  /// Reads the ID token or the refresh token of the body; their tenant is the request's.
  ///
  /// An ID token that is no good is left to the handler, which asks for it in its own order.
  mutating func readTokens(in body: WireFields) async throws {
    idToken = try body.filled("idToken").flatMap(UncheckedIDToken.init)
    if let named = idToken?.tenant {
      if let tenant, tenant != named { throw WireError("TENANT_ID_MISMATCH") }
      tenant = named
    }
    if let token = try body.filled("refreshToken"), access == .key {
      let scope: Scope
      do {
        scope = try await services.tokens.session(ofRefreshToken: token, project: project).scope
      } catch let error as AuthError where error.code == .invalidRefreshToken {
        throw WireError("INVALID_REFRESH_TOKEN")
      }
      if let tenant, tenant != scope.tenant {
        throw WireError(
          "TENANT_ID_MISMATCH: ((Refresh token tenant ID does not match target tenant ID.))")
      }
      tenant = scope.tenant
    }
  }
}
