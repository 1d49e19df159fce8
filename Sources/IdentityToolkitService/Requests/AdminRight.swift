import IdentityToolkit
import SessionTokens

/// The scopes and the project of an admin's token.
public struct AdminRight: Sendable, Hashable {
  /// The token's name, for the audit.
  public let name: String
  /// Scopes such as `accounts:read`.
  ///
  /// `all` allows everything in the token's project, and `server` opens every project.
  public let scopes: Set<String>
  /// The project that the token was made for.
  public let project: String

  /// Makes the right of a token.
  public init(name: String, scopes: Set<String>, project: String) {
    self.name = name
    self.scopes = scopes
    self.project = project
  }

  /// True if the token is valid for every project.
  var isOfServer: Bool { allows(AdminScope.server.rawValue) }

  /// Tells whether the token is valid for a project and its tenants.
  func opens(_ project: String) -> Bool { project == self.project || isOfServer }

  func allows(_ scope: String) -> Bool {
    AdminScope(rawValue: scope).map {
      AdminScope.does(scopes.compactMap(AdminScope.init), allow: $0)
    } ?? false
  }

  /// Throws `PERMISSION_DENIED` if the token lacks the operation's scope.
  ///
  /// An operation of no project also needs the scope `server`.
  func check(for route: Route) throws(WireError) {
    guard allows(route.scope) else { throw .missingScope(route.scope) }
    guard !route.isOfServer || isOfServer else {
      throw .missingScope(AdminScope.server.rawValue)
    }
  }
}

extension WireError {
  /// Makes the error of a token that lacks the operation's scope.
  static func missingScope(_ scope: String) -> WireError {
    permissionDenied("The admin token lacks the scope \(scope).")
  }

  /// The error of a token of another project.
  ///
  /// It does not reveal whether the named project exists.
  static let foreignProject = permissionDenied(
    "The admin token is not of this project. Use one of this project, or one with the scope server."
  )

  /// The error of an operation that an emulator offers to its own machine alone.
  static let publicEmulator = permissionDenied(
    "In emulator mode everybody is an admin, so this works only while no other machine can reach the server. Let it "
      + "listen on 127.0.0.1.")

  private static func permissionDenied(_ message: String) -> WireError {
    WireError(
      status: 403, message: message, canonicalStatus: "PERMISSION_DENIED", reason: "forbidden")
  }
}
