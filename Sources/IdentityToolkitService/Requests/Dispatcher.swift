import AuthCore
import IdentityToolkit
import SessionTokens

/// Answers requests: finds the operation, says who asks and where, and calls its handler.
///
/// Knows nothing of sockets, so a test may call it too.
package struct Dispatcher: Sendable {
  let services: ServerServices
  private let table: RouteTable

  package init(_ services: ServerServices) {
    self.init(services, routes: Route.all)
  }

  init(_ services: ServerServices, routes: [Route]) {
    self.services = services
    table = RouteTable(routes)
  }

  private var isEmulator: Bool { services.mode == .emulator }

  /// The name of the operation, for logs and metrics, and the answer.
  package typealias Outcome = (name: String, response: ServerResponse)

  package func answer(_ request: ServerRequest) async -> Outcome {
    guard let path = RoutePath(method: request.method, path: request.path),
      let match = table.match(path), match.route.modes.contains(services.mode),
      !(isEmulator && path.isProductionOnly)
    else {
      return ("unknown", ServerResponse(WireError.notFound, spread: isEmulator))
    }
    do {
      let answer = try await run(match, path, request)
      return (match.route.name, ServerResponse(answer, spread: isEmulator))
    } catch {
      let failure = Self.wireError(error)
      if failure == .internalError || failure == .unavailable || Self.isScriptsFault(error) {
        services.watch.fault(error, in: match.route.name)
      }
      return (match.route.name, ServerResponse(failure, spread: isEmulator))
    }
  }

  /// Whether an admin has to mend a script: clients are told nothing of its inside.
  private static func isScriptsFault(_ error: any Error) -> Bool {
    guard let error = error as? AuthError else { return false }
    if error.code == .blockingFunctionError { return error.cause != nil }
    return [.invalidPolicy, .invalidPlugin, .pluginFailed].contains(error.code)
  }

  /// What the outside is told of an error.
  static func wireError(_ error: any Error) -> WireError {
    switch error {
    case let error as WireError: error
    case let error as AuthError: WireError(error)
    case is CancellationError: .cancelled
    default: .internalError
    }
  }

  private func run(
    _ match: RouteTable.Match, _ path: RoutePath, _ request: ServerRequest
  ) async throws -> Answer {
    let route = match.route
    var parameters = try request.parameters
    let limits = RequestLimits(
      limits: isEmulator ? .none : services.settings.rateLimits, limiter: services.limiter)
    let who: Authentication
    do {
      who = try await Authentication(
        request, parameters: parameters, for: route.access, services)
    } catch {
      // Who guesses at keys and tokens is counted too.
      try limits.takeRequest(from: request.peer, at: services.clock())
      throw error
    }
    if let admin = who.admin, !admin.allows(route.scope) {
      throw WireError.missingScope(route.scope)
    }
    if who.admin == nil { try limits.takeRequest(from: request.peer, at: services.clock()) }
    let body = try Self.body(of: request, bounds: route.bounds)
    if path.bodyIsQuery {
      for (name, value) in body.members {
        if let text = value.stringValue { parameters[name] = text }
        if case .integer(let number) = value { parameters[name] = String(number) }
      }
    }
    if !path.bodyIsQuery { try check(body, of: route) }
    let query = WireFields(texts: parameters)
    var resolution = ScopeResolution(services: services, who: who, access: route.access)
    try resolution.readProject(
      path: path.needsProject ? nil : match.values["project"], body: body,
      mustBeNamed: path.needsProject)
    try resolution.readTenant(path: match.values["tenant"], body: body, query: query)
    try await resolution.readTokens(in: body)
    if route.access != .open {
      try await services.scopes.require(resolution.scope)
    }
    if who.admin == nil {
      try limits.takeOperation(
        route.name, body, from: request.peer, at: services.clock())
    }
    let call = Call(
      services: services, project: resolution.project, tenant: resolution.tenant,
      admin: who.admin?.name, seesHashes: who.admin?.allows("accounts:write") ?? false,
      path: match.values, query: query, body: body,
      client: ClientDescription(
        address: request.peer, userAgent: request.headers["user-agent"],
        locale: request.headers["x-firebase-locale"] ?? request.headers["accept-language"],
        network: request.peer.map(ClientAddress.name)),
      headers: request.headers, idToken: resolution.idToken)
    if !route.worksWhileDisabled, resolution.tenant != nil,
      try await call.settings().signIn.isDisabled
    {
      throw WireError("PROJECT_DISABLED")
    }
    return try await route.handler(call)
  }

  /// Refuses fields that hold something else than they say and, in production, fields that it does not know, so
  /// that a misspelt one is noticed.
  private func check(_ body: WireFields, of route: Route) throws(WireError) {
    guard let fields = route.fields, let known = route.knownNames else { return }
    if !isEmulator, let unknown = body.members.keys.filter({ !known.contains($0) }).min() {
      throw .invalidPayload("Unknown name \"\(unknown)\": Cannot find field.")
    }
    try fields.check(body)
  }

  /// Reads the body: JSON, or a form where it says so; nothing is an empty object.
  private static func body(
    of request: ServerRequest, bounds: JSONBounds
  ) throws(WireError) -> WireFields {
    let type = request.headers["content-type"] ?? ""
    if type.lowercased().hasPrefix("application/x-www-form-urlencoded") {
      return WireFields(
        texts: try FormText.parse(String(decoding: request.body, as: UTF8.self), of: "The form"))
    }
    let isEmpty = request.body.allSatisfy { $0 == 0x20 || $0 == 0x0A || $0 == 0x0D || $0 == 0x09 }
    if isEmpty || request.method == "GET" || request.method == "DELETE" {
      return WireFields(texts: [:])
    }
    let value: JSONValue
    do throws(JSONReader.Failure) {
      value = try JSONValue(strict: request.body, bounds: bounds)
    } catch {
      throw error.excess.map { WireError($0) } ?? .unparsableJSON("It is not JSON.")
    }
    return try WireFields(value)
  }
}

extension WireError {
  /// The answer to a body of which something has too many entries.
  fileprivate init(_ excess: JSONReader.Excess) {
    // Firebase has a code of its own for this list alone.
    self =
      excess.path == "/localIds"
      ? WireError("LOCAL_ID_LIST_EXCEEDS_LIMIT")
      : .excess(excess.path.isEmpty ? "/" : excess.path, bound: excess.bound)
  }
}
