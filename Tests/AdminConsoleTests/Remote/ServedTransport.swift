import AuthCore
import Foundation
import NIOConcurrencyHelpers
import SessionTokens

@testable import AdminConsole

/// The administration of a server without a network: requests go to its consoles, unless a test breaks the link.
final class ServedTransport: HTTPTransport {
  /// The place at which a request is lost.
  enum Loss: Sendable {
    /// The request does not arrive.
    case request
    /// The request is carried out, and its answer does not arrive.
    case answer
  }

  private struct State {
    var consoles: ServedConsoles
    var sent: [String] = []
    var lose: @Sendable (_ operation: String, _ count: Int) -> Loss? = { _, _ in nil }
    var scopes: Set<AdminScope>
  }

  // Keeps the folder of the store, and is used for nothing else.
  nonisolated(unsafe) private let home: ConsoleHome
  private let graph: AccountGraph
  private let name: String
  private let scope: Scope
  private let state: NIOLockedValueBox<State>

  init(
    _ home: ConsoleHome, name: String = "ada", scopes: Set<AdminScope> = [.all, .server],
    limits: ServedConsoles.Limits = .init()
  ) {
    self.home = home
    graph = home.graph
    scope = home.scope
    self.name = name
    state = NIOLockedValueBox(
      State(consoles: ServedConsoles(limits: limits), scopes: scopes))
  }

  /// Ends the server with all of its sessions, and starts another.
  func restart() {
    let old = state.withLockedValue { state in
      defer { state.consoles = ServedConsoles() }
      return state.consoles
    }
    old.endAll()
  }

  /// Breaks the link by a rule, which gets the operation and the number of its requests so far.
  func lose(_ rule: @escaping @Sendable (_ operation: String, _ count: Int) -> Loss?) {
    state.withLockedValue { $0.lose = rule }
  }

  func allow(_ scopes: Set<AdminScope>) { state.withLockedValue { $0.scopes = scopes } }

  /// The operations that were sent, in order.
  var sent: [String] { state.withLockedValue(\.sent) }

  /// The number of sessions that are open.
  var sessions: Int { state.withLockedValue(\.consoles).count }

  /// A link over this transport that is tried again for a short time.
  var link: ConsoleLink {
    ConsoleLink(
      server: "https://auth.test", project: "default", tenant: nil, token: Secret("token"),
      transport: self, isPrivate: false, patience: .seconds(5))
  }

  func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    let end = request.url.components(separatedBy: "/projects/default/console").last ?? ""
    let parts = end.dropFirst().split(separator: ":", maxSplits: 1).map(String.init)
    let operation =
      request.method == .delete ? "close" : parts.isEmpty ? "open" : parts.last ?? ""
    let (consoles, scopes, loss) = state.withLockedValue { state in
      let count = state.sent.count { $0 == operation }
      state.sent.append(operation)
      return (state.consoles, state.scopes, state.lose(operation, count))
    }
    let broken = AuthError(.networkRequestFailed, "auth.test: the connection was closed.")
    if loss == .request { throw broken }
    let body =
      request.body.isEmpty
      ? [:] : try JSONValue(text: String(decoding: request.body, as: UTF8.self))
    let admin = ConsoleAdmin(
      name: name, scopes: scopes, scope: scope,
      client: ClientDescription(address: "192.0.2.7"))
    let response: HTTPResponse
    do {
      let outcome = try await consoles.answer(
        ServedConsoles.Operation(rawValue: operation) ?? .close, of: parts.first, body, by: admin,
        on: graph)
      response =
        switch outcome {
        case .done(let json): Self.response(200, json)
        case .gone: Self.response(404, ["error": ["reason": "console-gone"]])
        case .neverBegun: Self.response(409, ["error": ["reason": "statement-never-begun"]])
        }
    } catch let error as AuthError {
      response = Self.response(
        400,
        [
          "error": [
            "reason": .string(error.code.rawValue), "message": .string(error.message),
            "remedy": .optional(error.remedy),
          ]
        ])
    }
    if loss == .answer { throw broken }
    return response
  }

  private static func response(_ status: Int, _ json: JSONValue) -> HTTPResponse {
    HTTPResponse(status: status, body: Array(json.text.utf8))
  }
}
