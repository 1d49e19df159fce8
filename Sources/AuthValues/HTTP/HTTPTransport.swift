/// Sends the requests of providers; the only way from this module to a network.
///
/// An implementation promises:
/// - It connects only to public addresses, checked after name resolution, unless the request lists the host as private.
/// - It never follows a redirect, and returns the answer as it came.
/// - It gives up after the request's timeout, and reads no more than the request's maximum size.
/// - It throws `network-request-failed`, naming the host but no path, query, header or body.
public protocol HTTPTransport: Sendable {
  /// Sends a request and returns the answer, or throws `network-request-failed`.
  func send(_ request: HTTPRequest) async throws -> HTTPResponse
}

/// One request of a provider.
public struct HTTPRequest: Sendable, CustomStringConvertible, CustomReflectable {
  /// An HTTP method.
  public enum Method: String, Sendable {
    case get = "GET"
    case post = "POST"
    case put = "PUT"
    case patch = "PATCH"
    case delete = "DELETE"
    case options = "OPTIONS"
    case head = "HEAD"
  }

  /// The HTTP method.
  public var method: Method
  /// The absolute URL: `https`, or `http` if the host is one of ``privateHosts``.
  public var url: String
  /// Header names and values, in the order in which they are sent.
  public var headers: [(name: String, value: String)]
  /// The body's bytes; empty for none.
  public var body: [UInt8]
  /// True if the request may be sent again after a failure that leaves open whether it arrived.
  public var isRepeatable: Bool
  /// The time limit of the whole exchange.
  public var timeout: Duration = .seconds(10)
  /// The maximum size of the answer in bytes; a larger one is refused.
  public var maximumResponseBytes = 1 << 20
  /// Hosts, as `host` or `host:port`, that an admin allows to be private and without TLS.
  public var privateHosts: [String] = []

  /// Makes a request; a GET is repeatable.
  public init(
    _ method: Method = .get, _ url: String, headers: [(name: String, value: String)] = [],
    body: [UInt8] = []
  ) {
    self.method = method
    self.url = url
    self.headers = headers
    self.body = body
    isRepeatable = method == .get
  }

  /// Makes a POST of form fields, encoded as `application/x-www-form-urlencoded`, in the order given.
  public static func form(_ url: String, _ fields: [(name: String, value: String)]) -> HTTPRequest {
    HTTPRequest(
      .post, url, headers: [("Content-Type", "application/x-www-form-urlencoded")],
      body: Array(URLText.form(fields).utf8))
  }

  /// The method and the host; everything else may hold secrets.
  public var description: String { "\(method.rawValue) \(URLText.host(of: url) ?? "?")" }

  /// An empty mirror, so that dumping a request shows no secret.
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}

/// An answer to a request.
public struct HTTPResponse: Sendable, CustomStringConvertible, CustomReflectable {
  /// The HTTP status code.
  public let status: Int
  /// Header values by lower-case name; values of one name are joined with a comma and a space.
  public let headers: [String: String]
  /// The body's bytes.
  public let body: [UInt8]

  /// Makes an answer, such as one for a test.
  public init(status: Int, headers: [String: String] = [:], body: [UInt8] = []) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// The body as JSON; nil if it is not JSON.
  public var json: JSONValue? {
    try? JSONValue(text: String(decoding: body, as: UTF8.self))
  }

  /// The status; everything else may hold secrets.
  public var description: String { "HTTP \(status)" }

  /// An empty mirror, so that dumping an answer shows no secret.
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}
