import AuthValues

/// One request, as it is sent.
struct OutgoingRequest: Sendable {
  let method: HTTPRequest.Method
  /// The path with its query, and with the key of a client.
  let path: String
  var headers: [(name: String, value: String)] = []
  var body: [UInt8] = []
  /// The body as JSON, to see what it creates; nil for a form or a text.
  var json: JSONValue?
}

/// An answer, read as JSON if it is JSON, and otherwise as a text.
struct IncomingAnswer: Sendable {
  let status: Int
  let headers: [String: String]
  let body: JSONValue

  init(_ response: HTTPResponse) {
    status = response.status
    headers = response.headers
    let text = String(decoding: response.body, as: UTF8.self)
    body = (try? JSONValue(text: text)) ?? .string(text)
  }

  /// Makes an answer with another body, such as a masked one.
  init(_ answer: IncomingAnswer, body: JSONValue) {
    status = answer.status
    headers = answer.headers
    self.body = body
  }

  /// The message of the protocol's error; nil if the answer is none.
  var errorMessage: String? { body["error"]?["message"]?.stringValue }
}

extension ConformanceTarget {
  /// The maximum size of an answer in bytes.
  static let maximumAnswer = 4 << 20

  /// Sends a request; throws `network-request-failed`.
  func send(
    _ request: OutgoingRequest, over transport: any HTTPTransport
  ) async throws -> IncomingAnswer {
    var outgoing = HTTPRequest(
      request.method, url + request.path, headers: request.headers, body: request.body)
    // A case may count its requests, so none is sent twice.
    outgoing.isRepeatable = false
    outgoing.timeout = timeout
    outgoing.maximumResponseBytes = Self.maximumAnswer
    if isPrivate { outgoing.privateHosts = [URLText.host(of: url)].compactMap(\.self) }
    return IncomingAnswer(try await transport.send(outgoing))
  }

  /// Sends a request of the runner itself, with the admin's token.
  func sendAsAdmin(
    _ method: HTTPRequest.Method, _ path: String, _ body: JSONValue? = nil,
    over transport: any HTTPTransport
  ) async throws -> IncomingAnswer {
    var request = OutgoingRequest(method: method, path: path, headers: [bearer])
    if let body {
      request.headers.append(("Content-Type", "application/json"))
      request.body = Array(body.text.utf8)
    }
    return try await send(request, over: transport)
  }

  /// The admin's header.
  var bearer: (name: String, value: String) {
    ("Authorization", "Bearer \(adminToken.reveal())")
  }

  /// The path of the project's configuration.
  var configurationPath: String {
    "/identitytoolkit.googleapis.com/v2/projects/\(URLText.escaped(project))/config"
  }

  /// The path of the project's or a tenant's accounts.
  func accountsPath(tenant: String?) -> String {
    "/identitytoolkit.googleapis.com/v1/projects/\(URLText.escaped(project))"
      + (tenant.map { "/tenants/\(URLText.escaped($0))" } ?? "") + "/accounts"
  }
}
