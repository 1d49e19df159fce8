import AuthCore
import IdentityToolkit
import SessionTokens

/// Answers requests in two steps: the head is admitted or refused, and then the body is read and answered.
///
/// It does not use sockets, so tests can call it directly.
package struct Dispatcher: Sendable {
  let services: ServerServices
  let table: RouteTable
  /// True if other machines can reach the server.
  let isPublic: Bool

  package init(_ services: ServerServices, isPublic: Bool = false) {
    self.init(services, routes: Route.all, isPublic: isPublic)
  }

  init(_ services: ServerServices, routes: [Route], isPublic: Bool = false) {
    self.services = services
    self.isPublic = isPublic
    table = RouteTable(routes)
  }

  var behavior: any ServiceBehavior { services.behavior }

  var limits: RequestLimits { services.limits }

  /// The name of the operation, for logs and metrics, and the answer.
  package typealias Outcome = (name: String, response: ServerResponse)

  /// Answers a complete request.
  package func answer(_ request: ServerRequest) async -> Outcome {
    switch await admit(request.head) {
    case .refused(let outcome): outcome
    case .admitted(let admitted): await answer(admitted, body: request.body)
    }
  }

  /// Answers an admitted request, given its body.
  package func answer(_ request: AdmittedRequest, body: [UInt8]) async -> Outcome {
    do {
      let answer = try await run(request, body)
      return (request.name, ServerResponse(answer, spread: behavior.spreadsJSON))
    } catch {
      return failure(error, of: request.route, in: request.head)
    }
  }

  /// Makes the answer to an error.
  ///
  /// An error of the server or of a script is also reported to the admin.
  func failure(_ error: any Error, of route: Route, in head: RequestHead) -> Outcome {
    let failure = behavior.wireError(error)
    // The loss of the store's file was reported when it was noticed.
    let isSaid = (error as? AuthError)?.cause is StoreFileGone
    if !isSaid,
      [.internalError, .unavailable, .unsureCommit].contains(failure) || Self.isScriptsFault(error)
    {
      services.telemetry.fault(error, in: route.name, request: head.requestID)
    }
    var response = ServerResponse(failure, spread: behavior.spreadsJSON)
    if [.internalError, .unavailable, .unsureCommit].contains(failure) { response.cause = error }
    return (route.name, response)
  }

  /// Tells whether an admin has to correct a script.
  ///
  /// Clients learn no details of it.
  private static func isScriptsFault(_ error: any Error) -> Bool {
    // The failure of a policy or a hook was reported when it happened.
    guard let error = error as? AuthError, error.scriptFailure == nil else { return false }
    if error.code == .blockingFunctionError { return error.cause != nil }
    return [.invalidPolicy, .invalidPlugin, .pluginFailed].contains(error.code)
  }

  /// Converts an error to the one that clients see.
  static func wireError(_ error: any Error) -> WireError {
    switch error {
    case let error as WireError: error
    case let error as AuthError: WireError(error)
    case is CancellationError: .cancelled
    default: .internalError
    }
  }

  private func run(_ request: AdmittedRequest, _ bytes: [UInt8]) async throws -> Answer {
    let (head, route, path, who) = (request.head, request.route, request.path, request.who)
    var parameters = request.parameters
    let body =
      route.takesBytes
      ? WireFields(texts: [:]) : try Self.body(bytes, of: head, bounds: route.bounds)
    if path.bodyIsQuery {
      for (name, value) in body.members {
        if let text = value.stringValue { parameters[name] = text }
        if case .integer(let number) = value { parameters[name] = String(number) }
      }
    }
    if !path.bodyIsQuery { try check(body, of: route) }
    let query = WireFields(texts: parameters)
    var resolution = ScopeResolution(
      services: services, access: route.access,
      project: try request.project ?? project(in: body, of: request))
    try resolution.readTenant(path: request.match.values["tenant"], body: body, query: query)
    try await resolution.readTokens(in: body)
    if route.access != .open, route.access != .metrics {
      try await services.scopes.require(resolution.scope)
    }
    if who.admin == nil {
      try limits.takeOperation(
        route.name, body, from: head.peer, at: services.clock())
    }
    let call = Call(
      services: services, project: resolution.project, tenant: resolution.tenant,
      right: who.admin, path: request.match.values, query: query, body: body,
      bytes: route.takesBytes ? bytes : [],
      client: ClientDescription(
        address: head.peer, userAgent: head.headers["user-agent"],
        locale: head.headers["x-firebase-locale"] ?? head.headers["accept-language"],
        network: head.peer.map(ClientAddress.name), requestID: head.requestID),
      headers: head.headers, idToken: resolution.idToken,
      refreshedSession: resolution.refreshedSession)
    if !route.worksWhileDisabled, resolution.tenant != nil { try await checkOpen(call) }
    try behavior.check(call, for: route)
    return try await route.handler(call)
  }

  /// Refuses every operation of a disabled tenant, an admin's too.
  private func checkOpen(_ call: Call) async throws {
    let settings = try await call.settings().signIn
    do throws(AuthError) {
      try settings.checkOpen(to: Caller(scope: call.scope, authority: .anyone))
    } catch {
      throw behavior.told(error)
    }
  }

  /// Refuses fields of the wrong type, and unknown fields, so that a misspelt one is noticed.
  private func check(_ body: WireFields, of route: Route) throws(WireError) {
    guard let fields = route.fields, let known = route.knownNames else { return }
    try behavior.refuse(unknown: body.members.keys.filter { !known.contains($0) }.min())
    try fields.check(body)
  }

  /// Returns the project that a body names, or the default project.
  private func project(
    in body: WireFields, of request: AdmittedRequest
  ) throws(WireError) -> String {
    let named = try body.filled("targetProjectId")
    guard named != nil || !request.path.needsProject else {
      throw WireError("INSUFFICIENT_PERMISSION")
    }
    return try request.who.project(named: named, for: request.route, services)
  }

  /// Reads the body as JSON, or as a form if the header says so.
  ///
  /// An empty body is an empty object.
  private static func body(
    _ bytes: [UInt8], of head: RequestHead, bounds: JSONBounds
  ) throws(WireError) -> WireFields {
    let type = head.headers["content-type"] ?? ""
    if type.lowercased().hasPrefix("application/x-www-form-urlencoded") {
      return WireFields(
        texts: try FormText.parse(String(decoding: bytes, as: UTF8.self), of: "The form"))
    }
    let isEmpty = bytes.allSatisfy { $0 == 0x20 || $0 == 0x0A || $0 == 0x0D || $0 == 0x09 }
    if isEmpty || head.method == "GET" || head.method == "DELETE" {
      return WireFields(texts: [:])
    }
    let value: JSONValue
    do throws(JSONReader.Failure) {
      value = try JSONValue(strict: bytes, bounds: bounds)
    } catch {
      throw error.excess.map { WireError($0) }
        ?? .unparsableJSON(JSONFault(in: bytes, stoppingAt: error.offset).message)
    }
    return try WireFields(value)
  }
}

extension WireError {
  /// Makes the error of a body with too many entries in one place.
  fileprivate init(_ excess: JSONReader.Excess) {
    // Firebase has an error code of its own for this list alone.
    self =
      excess.path == "/localIds"
      ? WireError("LOCAL_ID_LIST_EXCEEDS_LIMIT")
      : .excess(excess.path.isEmpty ? "/" : excess.path, bound: excess.bound)
  }
}
