public import AuthCore

/// The consoles that admins open over HTTP.
///
/// The server routes and checks requests; what they mean is the console's own affair.
public protocol ConsoleServing: Sendable {
  /// Carries out an operation; throws an `AuthError` for a refusal.
  func answer(_ request: ConsoleRequest) async throws -> ConsoleAnswer
}

/// A request to a console.
public struct ConsoleRequest: Sendable {
  /// An operation of the protocol.
  public enum Operation: String, Sendable, CaseIterable {
    /// The operations, in the order of a session's life.
    case open, evaluate, output, answer, interrupt, complete, check, close
  }

  /// The operation.
  public let operation: Operation
  /// The session; nil for one that is opened.
  public let session: String?
  /// The body, in which every field has its type.
  public let body: JSONValue
  /// The right of the admin's token.
  public let right: AdminRight
  /// The project or tenant.
  public let scope: Scope
  /// The origin of the request.
  public let client: ClientDescription
  /// The graph of the server.
  public let graph: AccountGraph
}

/// The answer of a console.
public enum ConsoleAnswer: Sendable {
  /// The operation was carried out.
  case done(JSONValue)
  /// There is no such session of this token, or no longer.
  case gone
  /// The statement did not arrive, and is refused from now on.
  case neverBegun
}
