import AuthCore
import NIOCore
import NIOHTTP1

/// One client's connection: reads requests and answers them, until either side closes.
struct VendorConnection {
  typealias Wire = NIOAsyncChannel<HTTPServerRequestPart, HTTPServerResponsePart>

  static let maximumRequestBytes = 1 << 20
  static let oversizedBytes = 32 << 20

  let wire: Wire
  let port: Int
  let log: ServerLog

  func run() async {
    // A client that disconnects early is not an error of the server.
    try? await wire.executeThenClose { inbound, _ in
      var head: HTTPRequestHead?
      var body: [UInt8] = []
      for try await part in inbound {
        switch part {
        case .head(let begun):
          head = begun
          body = []
        case .body(let bytes):
          guard body.count + bytes.readableBytes <= Self.maximumRequestBytes else {
            return try await send(VendorResponse(status: 413), isLast: true)
          }
          body += bytes.readableBytesView
        case .end:
          guard let complete = head else { return }
          head = nil
          guard try await answer(complete, body) else { return }
        }
      }
    }
  }

  /// Answers one request; returns true if the connection stays open.
  private func answer(
    _ head: HTTPRequestHead, _ body: [UInt8]
  ) async throws -> Bool {
    let request = VendorRequest(
      head.method.rawValue, head.uri,
      headers: head.headers.map { RequestFields.Field($0.name, $0.value) }, body: body)
    log.note(request)
    let (behavior, honest) = log.answer(to: request)
    guard let behavior else {
      try await send(honest, isLast: !head.isKeepAlive)
      return head.isKeepAlive
    }
    try await misbehave(behavior, honest)
    return false
  }

  /// Writes a part and waits until the system has it, because closing drops buffered bytes.
  private func write(_ part: HTTPServerResponsePart) async throws {
    try await wire.channel.writeAndFlush(part).get()
  }

  private func send(
    _ response: VendorResponse, isLast: Bool
  ) async throws {
    try await write(
      .head(Self.head(response, length: response.body.count, isLast: isLast)))
    try await write(.body(.byteBuffer(ByteBuffer(bytes: response.body))))
    try await write(.end(nil))
  }

  private static func head(
    _ response: VendorResponse, length: Int?, isLast: Bool
  ) -> HTTPResponseHead {
    var headers = HTTPHeaders(response.headers.map { ($0.name, $0.value) })
    if let length {
      headers.replaceOrAdd(name: "Content-Length", value: String(length))
    } else {
      headers.replaceOrAdd(name: "Transfer-Encoding", value: "chunked")
    }
    if isLast { headers.replaceOrAdd(name: "Connection", value: "close") }
    return HTTPResponseHead(
      version: .http1_1, status: HTTPResponseStatus(statusCode: response.status), headers: headers)
  }
}

extension VendorConnection {
  private func misbehave(
    _ behavior: HostileTransport, _ honest: VendorResponse
  ) async throws {
    switch behavior {
    case .serverError:
      try await send(
        .text("<html>Something broke.</html>", type: "text/html", status: 500), isLast: true)
    case .tooManyRequests:
      try await send(
        .json(
          ["error": "rate_limited"], status: 429,
          headers: [RequestFields.Field("Retry-After", "120")]), isLast: true)
    case .neverAnswers:
      try await Task.sleep(for: .seconds(1 << 30))
    case .closes:
      return
    case .truncatedBody:
      let half = honest.body.prefix((honest.body.count + 1) / 2)
      try await write(
        .head(Self.head(honest, length: honest.body.count + 1, isLast: true)))
      try await write(.body(.byteBuffer(ByteBuffer(bytes: half))))
    case .oversizedBody:
      try await sendOversized()
    case .redirectToAnotherHost:
      try await send(
        .redirect(to: "http://localhost:\(port)\(VendorServer.elsewhere)"), isLast: true)
    case .garbage:
      var response = VendorResponse.json(.null)
      response.body = [0xFF, 0xFE, 0x00, 0x7B, 0x22, 0xC3, 0x28, 0x5D, 0x80]
      try await send(response, isLast: true)
    case .notHTTP:
      try await sendRaw("SSH-2.0-fake\r\n\u{1}\u{2}\u{3}")
    case .emptyBody:
      var response = honest
      response.status = 200
      response.body = []
      try await send(response, isLast: true)
    case .wrongContentType:
      var response = honest
      response.headers.removeAll { $0.name.lowercased() == "content-type" }
      response.headers.append(RequestFields.Field("Content-Type", "text/html; charset=utf-8"))
      try await send(response, isLast: true)
    case .slow:
      try await sendSlowly(honest)
    }
  }

  private func sendOversized() async throws {
    let filler = ByteBuffer(repeating: UInt8(ascii: "a"), count: 1 << 16)
    try await write(.head(Self.head(.json(.null), length: nil, isLast: true)))
    try await write(.body(.byteBuffer(ByteBuffer(string: "{\"filler\":\""))))
    for _ in 0..<(Self.oversizedBytes / filler.readableBytes) {
      try await write(.body(.byteBuffer(filler)))
    }
    try await write(.body(.byteBuffer(ByteBuffer(string: "\"}"))))
    try await write(.end(nil))
  }

  private func sendSlowly(_ response: VendorResponse) async throws {
    let pause = log.slowness / 10
    let size = max(1, (response.body.count + 9) / 10)
    try await write(.head(Self.head(response, length: response.body.count, isLast: true)))
    for part in 0..<10 {
      try await Task.sleep(for: pause)
      let bytes = response.body.dropFirst(part * size).prefix(size)
      try await write(.body(.byteBuffer(ByteBuffer(bytes: bytes))))
    }
    try await write(.end(nil))
  }

  /// Writes bytes below the HTTP encoder.
  private func sendRaw(_ text: String) async throws {
    let channel = wire.channel
    let written = channel.eventLoop.flatSubmit {
      let promise = channel.eventLoop.makePromise(of: Void.self)
      do {
        let encoder = try channel.pipeline.syncOperations.context(
          handlerType: HTTPResponseEncoder.self)
        encoder.writeAndFlush(NIOAny(ByteBuffer(string: text)), promise: promise)
      } catch {
        promise.fail(error)
      }
      return promise.futureResult
    }
    try await written.get()
  }
}
