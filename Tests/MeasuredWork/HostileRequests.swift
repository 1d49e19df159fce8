import AuthCore
import AuthTesting
import BuiltInProviders
import IdentityToolkitService
import Logging
import LuaPlugins
import SessionTokens

/// Requests with more entries than any client sends, and the servers that answer them.
public struct HostileRequests: Sendable {
  /// The number of entries of each request.
  let count: Int
  /// True if the requests are sent, and not only made.
  let areSent: Bool
  private let servers: [ServerMode: Dispatcher]

  /// A request that was answered otherwise than it has to be.
  public struct Unexpected: Error, CustomStringConvertible {
    public let description: String
  }

  public init(entries: Int, areSent: Bool) {
    count = entries
    self.areSent = areSent
    servers = Dictionary(
      uniqueKeysWithValues: ServerMode.allCases.map { ($0, Self.server($0)) })
  }

  private static func server(_ mode: ServerMode) -> Dispatcher {
    let (store, secrets) = (MemoryStore(), EphemeralSealing())
    let providers = ProviderRegistry.builtIn(
      transport: NoTransport(),
      passwordHasher: PasswordHasher(
        cost: PasswordHasher.Cost(memoryKiB: 64, iterations: 1, parallelism: 1)))
    var services = GraphServices(
      secrets: secrets, messages: CollectingMessageSender(), totp: HMACTOTP())
    services.quirks = mode == .emulator ? .emulator : .production
    var settings = ServerSettings(project: "demo-shop", publicURL: "http://localhost:9099")
    settings.rateLimits = .none
    return Dispatcher(
      ServerServices(
        graph: AccountGraph(
          store: store, providers: mode == .emulator ? .emulator(over: providers) : providers,
          policies: LuaPolicyCompiler(), services: services),
        tokens: TokenService(
          style: mode == .emulator ? .unsigned : .signed(.es256), store: store, secrets: secrets),
        mode: mode, settings: settings,
        admins: { _, _ in
          AdminRight(name: "bench", scopes: ["all", "server"], project: "demo-shop")
        },
        telemetry: ServerTelemetry(logger: Logger(label: "bench") { _ in SwiftLogNoOpLogHandler() })
      ))
  }

  /// A list and an object with ``count`` entries each.
  private var containers: [[UInt8]] {
    let numbers = 0..<count
    return [
      "[" + numbers.map { "\"\($0)\"" }.joined(separator: ",") + "]",
      "{" + numbers.map { "\"p\($0)\":\"\"" }.joined(separator: ",") + "}",
    ].map { Array($0.utf8) }
  }

  /// Fills every place of every operation's body.
  public func sendBodies() async throws {
    let containers = containers
    for operation in Dispatcher.operations {
      let mode = operation.modes.contains(.production) ? ServerMode.production : .emulator
      for place in operation.places {
        for container in containers {
          let response = try await send(
            operation.method, path(of: operation), Self.body(container, at: place), in: mode)
          // Nothing of this size is good for anything.
          guard let response, ![400, 404].contains(response.status) else { continue }
          throw Unexpected(description: "\(operation.name) \(place): \(response.status)")
        }
      }
    }
  }

  private func path(of operation: OperationShape) -> String {
    operation.pattern.split(separator: "/").map { part in
      guard part.hasPrefix("{"), let end = part.firstIndex(of: "}") else { return String(part) }
      return (part.hasPrefix("{project}") ? "demo-shop" : "x") + part[part.index(after: end)...]
    }.reduce("") { "\($0)/\($1)" }
  }

  /// JSON with a container at a place.
  private static func body(_ container: [UInt8], at place: [String]) -> [UInt8] {
    var (before, after) = ("", "")
    for step in place {
      before += step == "0" ? "[" : "{\"\(step)\":"
      after = (step == "0" ? "]" : "}") + after
    }
    return Array(before.utf8) + container + Array(after.utf8)
  }

  func send(
    _ method: String, _ path: String, _ body: [UInt8] = [], query: String = "key=k",
    headers: [String: String] = [:], in mode: ServerMode = .production
  ) async throws -> ServerResponse? {
    guard areSent else { return nil }
    guard let server = servers[mode] else { throw Unexpected(description: "no server") }
    // An admin gets further than a client, except in functions that only clients may call.
    let token = mode == .emulator ? "owner" : "token"
    let fields = ["content-type": "application/json", "authorization": "Bearer \(token)"]
    return await server.answer(
      ServerRequest(
        method: method, path: path, query: query,
        headers: fields.merging(headers) { $1 }, body: body, peer: "192.0.2.1")
    ).response
  }
}

/// A transport without a network.
private struct NoTransport: HTTPTransport {
  func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    throw AuthError(.networkRequestFailed, "Nobody is there.")
  }
}
