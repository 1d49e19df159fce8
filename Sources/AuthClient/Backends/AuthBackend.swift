public import Foundation

/// Carries the requests of an ``Auth`` to whoever keeps its accounts.
///
/// ``HTTPBackend`` asks a server; `EmbeddedBackend` of the module AuthEmbedded answers in the same process.
/// Both speak Firebase's Identity Toolkit protocol, so an ``Auth`` cannot tell them apart.
public protocol AuthBackend: Sendable {
  /// Sends one request and gives the answer, whatever its status is.
  ///
  /// Throws where no answer came; callers of ``Auth`` see that as ``AuthErrorCode/networkError``, with this
  /// error beneath it.
  func send(_ request: BackendRequest) async throws -> BackendResponse
}

/// One request of the Identity Toolkit or Secure Token protocol; all of them are POSTs of JSON.
public struct BackendRequest: Sendable {
  /// The service that a path belongs to, which Firebase runs on hosts of their own.
  public enum Service: String, Sendable {
    case identityToolkit = "identitytoolkit.googleapis.com"
    case secureToken = "securetoken.googleapis.com"
  }

  public let service: Service
  /// The path behind the service, such as `/v1/accounts:lookup`.
  public let path: String
  public let apiKey: String
  /// Header fields beside `Content-Type`.
  public let headers: [String: String]
  /// A JSON object.
  public let body: Data

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

/// What was answered.
public struct BackendResponse: Sendable {
  /// The HTTP status.
  public let status: Int
  public let body: Data

  public init(status: Int, body: Data) {
    self.status = status
    self.body = body
  }
}
