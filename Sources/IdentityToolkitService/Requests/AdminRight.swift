import IdentityToolkit
import SessionTokens

/// What an admin's token allows, and where.
public struct AdminRight: Sendable, Hashable {
  /// The name that the audit keeps.
  public let name: String
  /// Words such as `accounts:read`.
  ///
  /// `all` allows everything in the token's project, and `server` opens every project.
  public let scopes: Set<String>
  /// The project that the token was made for.
  public let project: String

  public init(name: String, scopes: Set<String>, project: String) {
    self.name = name
    self.scopes = scopes
    self.project = project
  }

  /// Whether the token is good for the whole server, whichever project it was made for.
  var isOfServer: Bool { allows(AdminScope.server.rawValue) }

  /// Whether the token is good for a project and its tenants.
  func opens(_ project: String) -> Bool { project == self.project || isOfServer }

  func allows(_ scope: String) -> Bool {
    AdminScope(rawValue: scope).map {
      AdminScope.does(scopes.compactMap(AdminScope.init), allow: $0)
    } ?? false
  }

  /// Throws `PERMISSION_DENIED` if the token lacks the scope of an operation, or the whole server's where the
  /// operation is of no project.
  func check(for route: Route) throws(WireError) {
    guard allows(route.scope) else { throw .missingScope(route.scope) }
    guard !route.isOfServer || isOfServer else {
      throw .missingScope(AdminScope.server.rawValue)
    }
  }
}

extension WireError {
  /// An admin's token without the scope that the operation needs.
  static func missingScope(_ scope: String) -> WireError {
    permissionDenied("The admin token lacks the scope \(scope).")
  }

  /// An admin's token on a project that it was not made for, whether there is such a project or not.
  static let foreignProject = permissionDenied(
    "The admin token is not of this project. Use one of this project, or one with the scope server."
  )

  private static func permissionDenied(_ message: String) -> WireError {
    WireError(
      status: 403, message: message, canonicalStatus: "PERMISSION_DENIED", reason: "forbidden")
  }
}
