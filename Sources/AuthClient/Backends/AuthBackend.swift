public import Foundation

/// The transport of an ``Auth``'s requests to the backend that stores its accounts.
///
/// ``HTTPBackend`` calls a server; `EmbeddedBackend` of the module AuthEmbedded answers in the same process. Both
/// speak Firebase's Identity Toolkit protocol, so an ``Auth`` cannot tell them apart.
public protocol AuthBackend: Sendable {
  /// Sends a request and returns the answer, whatever its status.
  ///
  /// Throws if no answer arrives within a time of its own: a change is not cancelled once it is sent, and the next one of
  /// the same user waits for it. Callers of ``Auth`` get ``AuthErrorCode/networkError`` with this error underneath.
  func send(_ request: BackendRequest) async throws -> BackendResponse
}

/// A request of the Identity Toolkit or Secure Token protocol, always a POST of JSON.
public struct BackendRequest: Sendable {
  /// The service of a path.
  ///
  /// Firebase has a host for each.
  public enum Service: String, Sendable {
    case identityToolkit = "identitytoolkit.googleapis.com"
    case secureToken = "securetoken.googleapis.com"
  }

  /// The service that the request is for.
  public let service: Service
  /// The path within the service, such as `/v1/accounts:lookup`.
  public let path: String
  /// The key by which the server knows the app.
  public let apiKey: String
  /// The header fields besides `Content-Type`.
  public let headers: [String: String]
  /// The body, a JSON object.
  public let body: Data

  /// Makes a request, by default to the Identity Toolkit service.
  public init(
    service: Service = .identityToolkit, path: String, apiKey: String,
    headers: [String: String] = [:], body: Data
  ) {
    self.service = service
    self.path = path
    self.apiKey = apiKey
    self.headers = headers
    self.body = body
  }
}

/// The answer to a request.
public struct BackendResponse: Sendable {
  /// The HTTP status.
  public let status: Int
  /// The body, mostly a JSON object.
  public let body: Data
  /// The cause of a fault of a server in the same process; callers of ``Auth`` get it as the underlying error.
  public let cause: (any Error)?

  /// Makes an answer.
  public init(status: Int, body: Data, cause: (any Error)? = nil) {
    self.status = status
    self.body = body
    self.cause = cause
  }
}
