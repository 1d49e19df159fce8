import AuthCore
import IdentityToolkit
import SessionTokens

/// Finds the tenant of a request in its project, from its path, its body and the tokens in the body.
struct ScopeResolution {
  let services: ServerServices
  let access: Route.Access
  let project: String
  private(set) var tenant: String?
  /// The ID token of the body.
  private(set) var idToken: UncheckedIDToken?
  /// The session of the body's refresh token.
  private(set) var refreshedSession: SessionRecord?

  init(services: ServerServices, access: Route.Access, project: String) {
    self.services = services
    self.access = access
    self.project = project
  }

  var scope: Scope { Scope(project: project, tenant: tenant) }

  mutating func readTenant(
    path: String?, body: WireFields, query: WireFields
  ) throws {
    let sent = try body.filled("tenantId") ?? query.filled("tenantId")
    if let path, let sent, path != sent { throw WireError("TENANT_ID_MISMATCH") }
    tenant = path ?? sent
  }

  /// Reads the ID token or the refresh token of the body, whose tenant is the request's.
  ///
  /// An invalid ID token is left to the handler, which refuses it in the operation's own order.
  mutating func readTokens(in body: WireFields) async throws {
    idToken = try body.filled("idToken").flatMap(UncheckedIDToken.init)
    if let named = idToken?.tenant {
      if let tenant, tenant != named { throw WireError("TENANT_ID_MISMATCH") }
      tenant = named
    }
    if let token = try body.filled("refreshToken"), access == .key {
      let scope: Scope
      do {
        (scope, refreshedSession) = try await services.tokens.session(
          ofRefreshToken: token, project: project)
      } catch let error as AuthError where error.code == .invalidRefreshToken {
        throw WireError("INVALID_REFRESH_TOKEN")
      } catch let error as AuthError where error.code == .userNotFound {
        throw WireError("USER_NOT_FOUND")
      }
      if let tenant, tenant != scope.tenant {
        throw WireError(
          "TENANT_ID_MISMATCH: ((Refresh token tenant ID does not match target tenant ID.))")
      }
      tenant = scope.tenant
    }
  }
}
