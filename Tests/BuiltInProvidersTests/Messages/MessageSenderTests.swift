import AuthCore
import AuthTesting
import BuiltInProviders
import Foundation
import FoundationNetworking
import Synchronization
import Testing
import TestSupport

@Suite struct MessageSenderTests {
  static func message(
    _ kind: OutgoingMessage.Kind = .phoneSignIn, to recipient: String = "+4915112345678",
    proof: String = "123456", tenant: String? = "berlin", from: String? = "203.0.113.7"
  ) -> OutgoingMessage {
    OutgoingMessage(
      kind: kind, scope: Scope(project: "shop", tenant: tenant), recipient: recipient,
      proof: Secret(proof), expiresAt: Timestamp(milliseconds: 1_750_000_300_000),
      requestedFrom: from, intent: "sign-in")
  }

  @Test func `the log gets one line with everything a developer needs`() async throws {
    let lines = Mutex<[String]>([])
    let sender = LogMessageSender { line in lines.withLock { $0.append(line) } }

    try await sender.send(Self.message())
    try await sender.send(
      Self.message(.emailLink, proof: "https://a.b/?c=d", tenant: nil, from: nil))

    #expect(
      lines.withLock(\.self) == [
        "[shop/berlin] phone-sign-in to +4915112345678: 123456 (to sign-in, until "
          + "2025-06-15T15:11:40Z, asked for from 203.0.113.7)",
        "[shop] email-link to +4915112345678: https://a.b/?c=d (to sign-in, until "
          + "2025-06-15T15:11:40Z)",
      ])
  }

  @Test func `nothing in a message makes a second line or steers a terminal`() async throws {
    let lines = Mutex<[String]>([])
    let sender = LogMessageSender { line in lines.withLock { $0.append(line) } }

    try await sender.send(Self.message(from: "x\n[shop] fake\r\u{1B}[2J\u{2028}\u{202E}"))

    let written = lines.withLock(\.self)
    #expect(written.count == 1)
    #expect(written.first?.hasSuffix("x?[shop] fake??[2J??)") == true)
  }

  @Test(arguments: [200, 201, 202, 204, 299])
  func `an answer of 2xx is a delivery`(status: Int) async throws {
    try await sender(answering: status).send(Self.message())
  }

  @Test(arguments: [100, 301, 302, 400, 401, 404, 408, 500, 503])
  func `any other answer is a failure that names the host alone`(status: Int) async {
    let error = await #expect(throws: AuthError.self) {
      try await sender(answering: status).send(Self.message())
    }

    #expect(error?.code == .networkRequestFailed)
    #expect(error?.message == "The message service sms.example answered \(status).")
    let shown = error.map { String(reflecting: $0) } ?? ""
    for secret in ["123456", "hook", "key", "+49151", "signing"] {
      #expect(!shown.contains(secret))
    }
  }

  @Test func `an answer of 429 is an error of the quota`() async {
    let error = await #expect(throws: AuthError.self) {
      try await sender(answering: 429).send(Self.message())
    }

    #expect(error?.code == .quotaExceeded)
  }

  @Test func `the same message has the same idempotency key, and no other has`() async throws {
    let transport = CountingTransport(always: HTTPResponse(status: 200))
    let clock = FixedClock()
    let sender = WebhookMessageSender(
      transport: transport, url: "https://sms.example/hook", secret: Secret("signing")
    ) { clock.now }
    try await sender.send(Self.message())
    clock.advance(seconds: 60)
    try await sender.send(Self.message())
    try await sender.send(Self.message(proof: "123457"))

    let keys = transport.requests.map { $0.header("Idempotency-Key") }
    #expect(keys[0] == keys[1] && keys[0] != keys[2])
    #expect(keys[0]?.wholeMatch(of: /[0-9a-f]{32}/) != nil)
    #expect(transport.requests.allSatisfy { !$0.isRepeatable })
    let signatures = transport.requests.map { $0.header("Authgraph-Signature") }
    #expect(Set(signatures).count == 3)
  }

  @Test func `the transport's hosts are those of the sender`() async throws {
    let transport = CountingTransport(always: HTTPResponse(status: 200))
    let sender = WebhookMessageSender(
      transport: transport, url: "http://localhost:9/hook", secret: Secret("signing"),
      privateHosts: ["localhost:9"])

    try await sender.send(Self.message())

    #expect(transport.requests.first?.privateHosts == ["localhost:9"])
  }

  private func sender(answering status: Int) -> WebhookMessageSender {
    WebhookMessageSender(
      transport: CountingTransport(always: HTTPResponse(status: status)),
      url: "https://sms.example/hook?key=k",
      secret: Secret("signing"))
  }
}

@Suite(.timeLimit(.minutes(1))) struct WebhookTests {
  /// Takes one request, checks its signature, and prints its contents.
  private static let receiver = """
    import hashlib, hmac, http.server, json, sys
    class Receiver(http.server.BaseHTTPRequestHandler):
      def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        fields = dict(f.split("=", 1) for f in self.headers["Authgraph-Signature"].split(","))
        expected = hmac.new("sïgning key".encode(), (fields["t"] + ".").encode() + body, hashlib.sha256)
        print(json.dumps({
          "genuine": hmac.compare_digest(expected.hexdigest(), fields["v1"]), "t": int(fields["t"]),
          "type": self.headers["Content-Type"], "path": self.path, "body": json.loads(body)}))
        self.send_response(204)
        self.end_headers()
      def log_message(self, *arguments): pass
    server = http.server.HTTPServer(("127.0.0.1", 0), Receiver)
    server.timeout = 30
    print(server.server_port, flush=True)
    server.handle_request()
    """

  @Test(arguments: [
    (MessageSenderTests.message(), "code"),
    (
      MessageSenderTests.message(
        .emailLink, to: "zoë@example.com", proof: "https://a.example/?x=1&y=\"\\/", tenant: nil,
        from: nil), "link"
    ),
    (MessageSenderTests.message(.secondFactor, from: "a\nb\u{1F469}"), "code"),
    (
      OutgoingMessage(
        kind: .changeEmail, scope: Scope(project: "shop"), recipient: "new@example.com",
        proof: Secret("https://a.example/?oobCode=1"),
        expiresAt: Timestamp(milliseconds: 1_750_000_300_000), intent: "change-email",
        locale: "de", concerning: "ada@example.com"), "link"
    ),
  ])
  func `a receiver verifies the signature and reads the message`(
    message: OutgoingMessage, proof: String
  ) async throws {
    let (port, rest) = try PythonProgram(Self.receiver).start()
    let sender = WebhookMessageSender(
      transport: LoopbackTransport(), url: "http://127.0.0.1:\(port)/hook?key=1",
      secret: Secret("sïgning key"), privateHosts: ["127.0.0.1:\(port)"]
    ) { Timestamp(milliseconds: 1_750_000_000_999) }

    try await sender.send(message)

    let got = try JSONValue(text: rest())
    #expect(got["genuine"] == true)
    #expect(got["t"] == 1_750_000_000)
    #expect(got["type"] == "application/json")
    #expect(got["path"] == "/hook?key=1")
    #expect(
      got["body"]
        == .object([
          "kind": .string(message.kind.rawValue), "project": "shop",
          "tenant": .optional(message.scope.tenant), "recipient": .string(message.recipient),
          proof: .string(message.proof.reveal()), "expiresAt": "2025-06-15T15:11:40Z",
          "intent": .string(message.intent), "requestedFrom": .optional(message.requestedFrom),
          "locale": .optional(message.locale), "concerning": .optional(message.concerning),
        ]))
  }
}

/// Sends requests to this machine with Foundation's client.
private struct LoopbackTransport: HTTPTransport {
  func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    var outgoing = URLRequest(url: try #require(URL(string: request.url)))
    outgoing.httpMethod = request.method.rawValue
    outgoing.httpBody = Data(request.body)
    for (name, value) in request.headers { outgoing.setValue(value, forHTTPHeaderField: name) }
    let (_, response) = try await URLSession.shared.data(for: outgoing)
    return HTTPResponse(status: (response as? HTTPURLResponse)?.statusCode ?? 0)
  }
}

extension HTTPRequest {
  fileprivate func header(_ name: String) -> String? {
    headers.first { $0.name == name }?.value
  }
}
