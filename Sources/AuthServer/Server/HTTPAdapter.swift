import Foundation
import HTTPTypes
import HummingbirdCore
import IdentityToolkit
import IdentityToolkitService
import Logging
import NIOCore
import NIOHTTP1
import Tracing

/// The adapter between Hummingbird and the dispatcher.
///
/// It has the head admitted before it reads the body, and answers preflight requests. HEAD is answered as GET, without
/// the body.
struct HTTPAdapter: Sendable {
  let dispatcher: Dispatcher
  let services: ServerServices
  private let bodies: BodyReader
  private let deadlines: Deadlines
  private let date = DateHeader()
  private let logger: Logger
  private static let requestIDField = HTTPField.Name(RequestID.field)

  init(
    dispatcher: Dispatcher, services: ServerServices, configuration: HTTPConfiguration,
    clients: Clients, logger: Logger
  ) {
    self.dispatcher = dispatcher
    self.services = services
    self.logger = logger
    bodies = BodyReader(configuration)
    deadlines = Deadlines(after: .seconds(configuration.requestSeconds), for: clients)
  }

  /// Answers a request of a channel.
  ///
  /// Throws an `HTTPParserError` for a request that violates HTTP's grammar.
  func respond(
    to request: Request, over channel: any Channel
  ) async throws(HTTPParserError) -> Response {
    var response: Response
    do {
      response = try await self.response(to: request, over: channel)
    } catch let error as HTTPParserError {
      throw error
    } catch {
      logger.debug("A request could not be read.", metadata: ["error": "\(error)"])
      response = Response(status: .internalServerError)
    }
    response.headers[.date] = date.now
    return response
  }

  private func response(to request: Request, over channel: any Channel) async throws -> Response {
    let headers = Self.fields(of: request)
    let settings = services.settings
    let sharing = CrossOrigin(headers: headers, allowed: settings.allowedOrigins)
    if request.method == .options {
      return Response(status: .noContent, headers: sharing.preflight)
    }
    let (path, query) = Self.split(request.head.path ?? "/")
    let neighbor = channel.remoteAddress?.ipAddress
    let peer = ClientAddress.of(
      peer: neighbor, forwardedFor: headers["x-forwarded-for"],
      trusted: settings.trustedNetworks)
    let requestID = RequestID.of(
      headers["x-request-id"], from: neighbor, trusted: settings.trustedNetworks)
    let method = request.method == .head ? HTTPRequest.Method.get : request.method
    let response = try await watched(
      RequestHead(
        method: method.rawValue, path: path, query: query, headers: headers, peer: peer,
        requestID: requestID),
      request.body, for: ObjectIdentifier(channel))
    var fields = sharing.fields
    for header in response.headers {
      if let name = HTTPField.Name(header.name) {
        fields.append(HTTPField(name: name, value: header.value))
      }
    }
    if let name = Self.requestIDField { fields[name] = requestID }
    if fields[.cacheControl] == nil { fields[.cacheControl] = "no-store" }
    if fields[.xContentTypeOptions] == nil { fields[.xContentTypeOptions] = "nosniff" }
    let complete = Response(
      status: HTTPResponse.Status(code: response.status), headers: fields,
      body: ResponseBody(byteBuffer: ByteBuffer(bytes: response.body)))
    return request.method == .head ? complete.createHeadResponse() : complete
  }

  /// The outcome of a request, and the time spent waiting for its body.
  private struct Answered {
    let outcome: Dispatcher.Outcome
    var waited = Duration.zero
  }

  /// Answers, and reports to the log and the metrics.
  private func watched(
    _ head: RequestHead, _ body: RequestBody, for channel: ObjectIdentifier
  ) async throws -> ServerResponse {
    let telemetry = services.telemetry
    let start = ContinuousClock.now
    telemetry.inFlight(1)
    defer { telemetry.inFlight(-1) }
    let answered = try await traced(head, body, for: channel)
    let (operation, response) = answered.outcome
    telemetry.answered(
      operation, status: response.status, errorCode: response.errorCode,
      requestID: head.requestID ?? "",
      after: ContinuousClock.now - start - answered.waited)
    return response
  }

  /// Answers within a span of the request's trace, if tracing is on.
  private func traced(
    _ head: RequestHead, _ body: RequestBody, for channel: ObjectIdentifier
  ) async throws -> Answered {
    let instrument = InstrumentationSystem.instrument
    // Without this, spans would be created and ended for nothing.
    guard !(instrument is NoOpInstrument) else {
      return try await answered(head, body, for: channel)
    }
    var context = ServiceContext.current ?? .topLevel
    instrument.extract(head.headers, into: &context, using: HeaderExtractor())
    return try await withSpan(head.method, context: context, ofKind: .server) { span in
      let answered = try await answered(head, body, for: channel)
      guard span.isRecording else { return answered }
      let (operation, response) = answered.outcome
      span.operationName = operation
      span.attributes["http.request.method"] = head.method
      span.attributes["http.response.status_code"] = response.status
      span.attributes["authgraph.operation"] = operation
      if let code = response.errorCode { span.attributes["error.type"] = code }
      if response.status >= 500 { span.setStatus(SpanStatus(code: .error)) }
      return answered
    }
  }

  /// Has the head admitted, reads the body and answers.
  private func answered(
    _ head: RequestHead, _ body: RequestBody, for channel: ObjectIdentifier
  ) async throws -> Answered {
    let request: AdmittedRequest
    switch await admission(of: head, for: channel) {
    case .refused(let outcome): return Answered(outcome: outcome)
    case .admitted(let admitted): request = admitted
    }
    let start = ContinuousClock.now
    do {
      return try await bodies.read(
        body, of: request, announced: head.headers["content-length"].flatMap { Int($0) }
      ) { bytes in
        let waited = ContinuousClock.now - start
        return Answered(
          outcome: await answer(request, bytes, for: channel), waited: waited)
      }
    } catch let error as WireError {
      return Answered(outcome: request.refusal(error, services))
    }
  }

  /// Admits a head on the current thread, unless a bearer token has to be looked up in the store.
  private func admission(
    of head: RequestHead, for channel: ObjectIdentifier
  ) async -> Admission {
    let dispatcher = dispatcher
    guard head.bearer != nil else { return await dispatcher.admit(head) }
    let (admission, wasCutOff) = await deadlines.run(for: channel) {
      await dispatcher.admit(head)
    }
    guard wasCutOff, case .refused(let outcome) = admission else { return admission }
    return .refused(Self.tooLate(outcome))
  }

  /// Runs the handler within the time limit.
  ///
  /// Uncommitted changes are rolled back if it is exceeded.
  private func answer(
    _ request: AdmittedRequest, _ body: [UInt8], for channel: ObjectIdentifier
  ) async -> Dispatcher.Outcome {
    let dispatcher = dispatcher
    let (outcome, wasCutOff) = await deadlines.run(
      for: channel, priority: request.isProbe ? .high : nil
    ) {
      await dispatcher.answer(request, body: body)
    }
    return wasCutOff ? Self.tooLate(outcome) : outcome
  }

  /// Returns the answer to a request that was cut off.
  private static func tooLate(_ outcome: Dispatcher.Outcome) -> Dispatcher.Outcome {
    // A commit that happened just then is reported, because a client would assume that it was rolled back.
    guard outcome.response.status >= 400 else { return outcome }
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

/// An extractor that reads a trace's context from the header fields.
private struct HeaderExtractor: Extractor {
  func extract(key: String, from headers: [String: String]) -> String? {
    headers[key.lowercased()]
  }
}
