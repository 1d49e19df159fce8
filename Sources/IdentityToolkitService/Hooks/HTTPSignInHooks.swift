public import AuthCore
public import SessionTokens

/// Calls the app's blocking functions over HTTP, as Firebase does.
///
/// It posts a token that describes the event. The update mask of the answer names the fields that count.
public struct HTTPSignInHooks: SignInHooks {
  private let transport: any HTTPTransport
  private let tokens: TokenService
  /// Hosts of functions at private addresses, as an admin allowed.
  private let privateHosts: [String]
  private let timeout: Duration
  private let clock: @Sendable () -> Timestamp

  /// Makes hooks that call functions over a transport, with a limit on the time of each call.
  ///
  /// Functions on `privateHosts` may be at private addresses.
  public init(
    transport: any HTTPTransport, tokens: TokenService, privateHosts: [String] = [],
    timeout: Duration = .seconds(7), clock: @escaping @Sendable () -> Timestamp = Timestamp.now
  ) {
    self.transport = transport
    self.tokens = tokens
    self.privateHosts = privateHosts
    self.timeout = timeout
    self.clock = clock
  }

  /// Returns true if the project has at least one function.
  public func isInterested(in functions: BlockingFunctions) -> Bool {
    !functions.functionURIs.isEmpty
  }

  /// Calls the function of the event.
  ///
  /// Throws `blocking-function-error` if the function refuses, fails, or cannot be reached.
  public func answer(_ event: SignInHookEvent) async throws -> SignInHookAnswer? {
    guard let uri = event.functions.functionURIs[event.kind.rawValue] else { return nil }
    let claims = BlockingEvent(event: event, functionURI: uri, now: clock()).claims
    let token = try await tokens.sign(claims, project: event.scope.project)
    let body: JSONValue = ["data": ["jwt": .string(token)]]
    var request = HTTPRequest(
      .post, uri, headers: [("Content-Type", "application/json")], body: Array(body.text.utf8))
    request.timeout = timeout
    request.privateHosts = privateHosts
    let response: HTTPResponse
    do { response = try await transport.send(request) } catch {
      throw Self.unreachable("((Error making HTTP request to \(Self.shown(uri)).))", error)
    }
    guard (200..<300).contains(response.status) else {
      let text = String(decoding: response.body.prefix(4096), as: UTF8.self)
      let message =
        "((HTTP request to \(Self.shown(uri)) returned HTTP error \(response.status): \(text)))"
      // A 4xx status is the function's refusal. Any other status means that the function failed.
      let fault = AuthError(
        .blockingFunctionError, "\(Self.shown(uri)): HTTP status \(response.status): \(text)")
      throw AuthError(
        .blockingFunctionError, message, remedy: "Read the function's log.", step: .policy,
        cause: (400..<500).contains(response.status) ? nil : fault)
    }
    guard let answer = response.json else {
      throw Self.unreachable("((The function \(Self.shown(uri)) answered no JSON.))")
    }
    guard let record = answer["userRecord"] else { return nil }
    return try SignInHookAnswer(record, event.kind)
  }

  /// The address as clients may see it, without a query or fragment, which can hold a secret.
  private static func shown(_ uri: String) -> String {
    String(uri.prefix { $0 != "?" && $0 != "#" })
  }

  /// Makes the error of a function that cannot be reached, which is the server's fault and not the client's.
  private static func unreachable(_ message: String, _ cause: (any Error)? = nil) -> AuthError {
    AuthError(
      .blockingFunctionError, message, remedy: "Check the function's URL and its log.",
      step: .exchange, cause: cause)
  }
}

extension SignInHookAnswer {
  /// The fields that a function may change.
  private static let fields = [
    "displayName", "photoUrl", "photoURL", "emailVerified", "disabled", "customClaims",
    "sessionClaims",
  ]

  /// Reads the `userRecord` of a function's answer.
  ///
  /// Only the fields of its update mask count.
  fileprivate init(_ record: JSONValue, _ kind: SignInHookEvent.Kind) throws {
    self.init()
    guard let mask = record["updateMask"]?.stringValue, !mask.isEmpty else {
      throw Self.wrong("((Response UserRecord is missing updateMask.))")
    }
    let named = Set(mask.split(separator: ",").map(String.init))
    for name in Self.fields where named.contains(name) {
      let value = record[name] ?? .null
      switch name {
      case "displayName": displayName = try Self.text(name, value)
      // Google's library for functions calls the field photoURL.
      case "photoUrl", "photoURL": photoURL = try Self.text(name, value)
      case "emailVerified": emailVerified = try Self.bool(name, value)
      case "disabled": disabled = try Self.bool(name, value)
      case "customClaims": customClaims = .set(try CustomClaims(Self.members(name, value)))
      case "sessionClaims" where kind == .beforeSignIn:
        sessionClaims = .object(try Self.members(name, value))
      default: continue
      }
    }
  }

  private static func text(_ name: String, _ value: JSONValue) throws -> Change<String> {
    if value == .null { return .clear }
    guard let text = value.stringValue else { throw mistyped(name) }
    return .set(text)
  }

  /// A field that the mask names and the record lacks is false, as with Firebase's functions.
  private static func bool(_ name: String, _ value: JSONValue) throws -> Bool {
    if value == .null { return false }
    guard case .bool(let flag) = value else { throw mistyped(name) }
    return flag
  }

  private static func members(_ name: String, _ value: JSONValue) throws -> [String: JSONValue] {
    switch value {
    case .object(let members): return members
    case .string(let text):
      guard case .object(let members)? = try? JSONValue(text: text) else { throw mistyped(name) }
      return members
    default: throw mistyped(name)
    }
  }

  private static func mistyped(_ name: String) -> AuthError {
    wrong("((Response UserRecord has a \(name) of a wrong type.))", field: name)
  }

  /// Makes the error of an invalid answer, which an admin has to correct.
  private static func wrong(_ message: String, field: String? = nil) -> AuthError {
    AuthError(
      .blockingFunctionError, message, field: field, remedy: "Correct the function's answer.",
      step: .policy, cause: AuthError(.blockingFunctionError, message))
  }
}
