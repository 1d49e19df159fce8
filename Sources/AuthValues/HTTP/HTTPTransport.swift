/// Sends the requests of providers; the one way from here to a network.
///
/// What an implementation promises:
/// - It connects only to public addresses, checked after the name was resolved, except to hosts that the
///   request itself names as private.
/// - It never follows a redirect; the answer is given as it came.
/// - It gives up after the request's time, and reads no more than the request's size.
/// - It throws `network-request-failed`, naming the host and nothing of the path, query, headers or body.
public protocol HTTPTransport: Sendable {
  func send(_ request: HTTPRequest) async throws -> HTTPResponse
}

/// One request of a provider.
public struct HTTPRequest: Sendable, CustomStringConvertible, CustomReflectable {
  public enum Method: String, Sendable {
    case get = "GET"
    case post = "POST"
    case delete = "DELETE"
  }

  public var method: Method
  /// Absolute; `https`, or `http` where the host is one of ``privateHosts``.
  public var url: String
  /// Names and values in the order in which they are sent.
  public var headers: [(name: String, value: String)]
  public var body: [UInt8]
  /// Whether a second one does no harm where it is open if the first arrived.
  public var isRepeatable: Bool
  /// How long the whole exchange may take.
  public var timeout: Duration = .seconds(10)
  /// How many bytes of the answer are read before it is refused.
  public var maximumResponseBytes = 1 << 20
  /// Hosts, as `host` or `host:port`, that an admin allowed to be private and without TLS.
  public var privateHosts: [String] = []

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

  /// The method and the host; the rest may hold secrets.
  public var description: String { "\(method.rawValue) \(URLText.host(of: url) ?? "?")" }

  public var customMirror: Mirror { Mirror(self, children: [:]) }
}

/// What a server answered.
public struct HTTPResponse: Sendable, CustomStringConvertible, CustomReflectable {
  public let status: Int
  /// By lower-case name; values of one name are joined with a comma and a space.
  public let headers: [String: String]
  public let body: [UInt8]

  public init(status: Int, headers: [String: String] = [:], body: [UInt8] = []) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// The body as JSON, or nil where it is none.
  public var json: JSONValue? {
    try? JSONValue(text: String(decoding: body, as: UTF8.self))
  }

  public var description: String { "HTTP \(status)" }

  public var customMirror: Mirror { Mirror(self, children: [:]) }
}
