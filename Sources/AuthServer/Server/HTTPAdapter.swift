import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdCore
import IdentityToolkit
import IdentityToolkitService
import NIOCore
import Tracing

/// Between Hummingbird's requests and the dispatcher's: reads the body within its bounds, and answers what
/// browsers ask before they call.
struct HTTPAdapter: HTTPResponder {
  struct Context: RequestContext, RemoteAddressRequestContext {
    var coreContext: CoreRequestContextStorage
    let remoteAddress: SocketAddress?
    /// What tells the client's channel from others.
    let channel: ObjectIdentifier

    init(source: ApplicationRequestContextSource) {
      coreContext = .init(source: source)
      remoteAddress = source.channel.remoteAddress
      channel = ObjectIdentifier(source.channel)
    }
  }

  let dispatcher: Dispatcher
  let services: ServerServices
  let configuration: HTTPConfiguration
  private let deadlines: Deadlines

  init(
    dispatcher: Dispatcher, services: ServerServices, configuration: HTTPConfiguration,
    clients: Clients
  ) {
    self.dispatcher = dispatcher
    self.services = services
    self.configuration = configuration
    deadlines = Deadlines(after: .seconds(configuration.requestSeconds), for: clients)
  }

  func respond(to request: Request, context: Context) async throws -> Response {
    let headers = Self.fields(of: request)
    let sharing = CrossOrigin(headers: headers, allowed: services.settings.allowedOrigins)
    if request.method == .options {
      return Response(status: .noContent, headers: sharing.preflight)
    }
    let body: ByteBuffer
    do {
      body = try await request.body.collect(upTo: configuration.maximumBodyBytes)
    } catch is NIOTooManyBytesError {
      return Response(status: .contentTooLarge, headers: sharing.fields)
    }
    let (path, query) = Self.split(request.head.path ?? "/")
    let settings = services.settings
    let peer = ClientAddress.of(
      peer: context.remoteAddress?.ipAddress, forwardedFor: headers["x-forwarded-for"],
      trusted: settings.trustedProxies.compactMap(NetworkPrefix.init))
    let response = await watched(
      ServerRequest(
        method: request.method.rawValue, path: path, query: query, headers: headers,
        body: Array(body.readableBytesView), peer: peer), for: context.channel,
      requestID: String(UInt64.random(in: .min ... .max), radix: 36))
    var fields = sharing.fields
    for header in response.headers {
      if let name = HTTPField.Name(header.name) {
        fields.append(HTTPField(name: name, value: header.value))
      }
    }
    if fields[.cacheControl] == nil { fields[.cacheControl] = "no-store" }
    if fields[.xContentTypeOptions] == nil { fields[.xContentTypeOptions] = "nosniff" }
    return Response(
      status: HTTPResponse.Status(code: response.status), headers: fields,
      body: ResponseBody(byteBuffer: ByteBuffer(bytes: response.body)))
  }

  /// Answers within the time that a request may take, and tells of it.
  private func watched(
    _ request: ServerRequest, for channel: ObjectIdentifier, requestID: String
  ) async -> ServerResponse {
    let watch = services.watch
    let start = ContinuousClock.now
    watch.inFlight(1)
    let (operation, response) = await traced(request, for: channel)
    watch.inFlight(-1)
    watch.answered(
      operation, status: response.status, errorCode: response.errorCode, requestID: requestID,
      after: ContinuousClock.now - start)
    return response
  }

  /// Answers within a span of the trace that the request belongs to, where anybody keeps traces.
  private func traced(
    _ request: ServerRequest, for channel: ObjectIdentifier
  ) async -> Dispatcher.Outcome {
    let dispatcher = dispatcher
    let instrument = InstrumentationSystem.instrument
    // A span that nobody keeps would still be made, bound to the task and ended.
    guard !(instrument is NoOpInstrument) else {
      return await inTime(channel) { await dispatcher.answer(request) }
    }
    var context = ServiceContext.current ?? .topLevel
    instrument.extract(request.headers, into: &context, using: HeaderExtractor())
    return await withSpan(request.method, context: context, ofKind: .server) { span in
      let answer = await inTime(channel) { await dispatcher.answer(request) }
      guard span.isRecording else { return answer }
      span.operationName = answer.name
      span.attributes["http.request.method"] = request.method
      span.attributes["http.response.status_code"] = answer.response.status
      span.attributes["authgraph.operation"] = answer.name
      if let code = answer.response.errorCode { span.attributes["error.type"] = code }
      if answer.response.status >= 500 { span.setStatus(SpanStatus(code: .error)) }
      return answer
    }
  }

  /// Gives up what takes longer than a request may; whatever it had not committed by then is undone.
  private func inTime(
    _ channel: ObjectIdentifier, _ work: @escaping @Sendable () async -> Dispatcher.Outcome
  ) async -> Dispatcher.Outcome {
    let (outcome, wasCutOff) = await deadlines.run(for: channel, work)
    // What was committed just then is told as such, or a client would take it for undone.
    guard wasCutOff, outcome.response.status >= 400 else { return outcome }
    return (outcome.name, ServerResponse(WireError.deadlineExceeded, spread: false))
  }

  private static func fields(of request: Request) -> [String: String] {
    var headers = [String: String](minimumCapacity: request.headers.count + 1)
    for field in request.headers {
      let name = field.name.canonicalName
      headers[name] = headers[name].map { "\($0), \(field.value)" } ?? field.value
    }
    if let host = request.head.authority { headers["host"] = host }
    return headers
  }

  private static func split(_ target: String) -> (path: String, query: String) {
    guard let mark = target.utf8.firstIndex(of: UInt8(ascii: "?")) else { return (target, "") }
    return (String(target[..<mark]), String(target[target.utf8.index(after: mark)...]))
  }
}

/// Finds the trace that a request belongs to.
private struct HeaderExtractor: Extractor {
  func extract(key: String, from headers: [String: String]) -> String? {
    headers[key.lowercased()]
  }
}
