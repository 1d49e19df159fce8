import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdCore
import NIOCore

/// Between Hummingbird's requests and the dispatcher's: reads the body within its bounds, and answers what
/// browsers ask before they call.
struct HTTPAdapter: HTTPResponder {
  struct Context: RequestContext, RemoteAddressRequestContext {
    var coreContext: CoreRequestContextStorage
    let remoteAddress: SocketAddress?

    init(source: ApplicationRequestContextSource) {
      coreContext = .init(source: source)
      remoteAddress = source.channel.remoteAddress
    }
  }

  let dispatcher: Dispatcher
  let configuration: HTTPConfiguration

  func respond(to request: Request, context: Context) async throws -> Response {
    var headers: [String: String] = [:]
    for field in request.headers {
      let name = field.name.canonicalName
      headers[name] = headers[name].map { "\($0), \(field.value)" } ?? field.value
    }
    let sharing = CrossOrigin(headers: headers, allowed: configuration.allowedOrigins)
    if request.method == .options, headers["access-control-request-method"] != nil {
      return Response(status: .noContent, headers: sharing.preflight)
    }
    let body: ByteBuffer
    do {
      body = try await request.body.collect(upTo: configuration.maximumBodyBytes)
    } catch is NIOTooManyBytesError {
      return Response(status: .contentTooLarge, headers: sharing.fields)
    }
    let (path, query) = Self.split(request.head.path ?? "/")
    let (_, response) = await dispatcher.answer(
      ServerRequest(
        method: request.method.rawValue, path: path, query: query, headers: headers,
        body: Array(body.readableBytesView), peer: context.remoteAddress?.ipAddress))
    var fields = sharing.fields
    for header in response.headers {
      if let name = HTTPField.Name(header.name) {
        fields.append(HTTPField(name: name, value: header.value))
      }
    }
    return Response(
      status: HTTPResponse.Status(code: response.status), headers: fields,
      body: ResponseBody(byteBuffer: ByteBuffer(bytes: response.body)))
  }

  private static func split(_ target: String) -> (path: String, query: String) {
    let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    return (String(parts.first ?? "/"), parts.count > 1 ? String(parts[1]) : "")
  }
}

/// What lets scripts of other origins call (CORS, Fetch standard): origins and fields are reflected.
struct CrossOrigin: Sendable {
  private let headers: [String: String]
  private let allowed: Set<String>

  init(headers: [String: String], allowed: Set<String>) {
    self.headers = headers
    self.allowed = allowed
  }

  /// The fields of every answer.
  var fields: HTTPFields {
    guard let origin = headers["origin"], allowed.isEmpty || allowed.contains(origin) else {
      return [:]
    }
    return [.accessControlAllowOrigin: origin, .vary: "Origin"]
  }

  /// The fields of the answer to a browser that asks before it calls.
  var preflight: HTTPFields {
    var fields = self.fields
    guard !fields.isEmpty else { return fields }
    fields[.accessControlAllowMethods] = "GET,HEAD,PUT,PATCH,POST,DELETE"
    if let wanted = headers["access-control-request-headers"] {
      fields[.accessControlAllowHeaders] = wanted
    }
    fields[.accessControlMaxAge] = "3600"
    if headers["access-control-request-private-network"] != nil,
      let name = HTTPField.Name("Access-Control-Allow-Private-Network")
    {
      fields[name] = "true"
    }
    return fields
  }
}
