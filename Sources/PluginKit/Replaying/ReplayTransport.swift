import AuthCore
import BuiltInProviders
import LuaPlugins
import NIOConcurrencyHelpers

/// Plays a vendor: answers with the recording, and with test keys for key sets and discovery documents.
///
/// It keeps the promises of ``AuthCore/HTTPTransport``: it bounds sizes and follows no redirect.
final class ReplayTransport: HTTPTransport {
  /// The requests of one rehearsal.
  struct Log: Sendable {
    var asked: [VendorTarget] = []
    /// The unrecorded requests, in words.
    var unknown: [String] = []
    var hosts: Set<String> = []
  }

  private struct State {
    var rehearsal: Rehearsal
    var idToken: String
    var keySet: JSONValue
    var log = Log()
  }

  private let rules: [PluginTokenRule]
  private let state: NIOLockedValueBox<State>

  init(_ rehearsal: Rehearsal, rules: [PluginTokenRule]) {
    self.rules = rules
    state = NIOLockedValueBox(State(rehearsal: rehearsal, idToken: "", keySet: ["keys": []]))
  }

  /// Prepares the next rehearsal.
  func play(_ rehearsal: Rehearsal, idToken: String, keySet: JSONValue) {
    state.withLockedValue { $0 = State(rehearsal: rehearsal, idToken: idToken, keySet: keySet) }
  }

  var log: Log { state.withLockedValue { $0.log } }

  func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    let response = try state.withLockedValue { state throws(AuthError) in
      try answer(request, &state)
    }
    guard response.body.count <= request.maximumResponseBytes else {
      throw TransportTrouble.tooLarge(request)
    }
    return response
  }

  private func answer(
    _ request: HTTPRequest, _ state: inout State
  ) throws(AuthError) -> HTTPResponse {
    state.log.hosts.insert(URLText.host(of: request.url) ?? "?")
    guard let target = target(of: request, state) else {
      state.log.unknown.append(explanation(of: request, state.rehearsal.exchanges))
      guard state.rehearsal.refusesUnknown else {
        throw AuthError(
          .networkRequestFailed,
          "\(URLText.host(of: request.url) ?? "The server") has no such recorded answer.",
          remedy: "Add the exchange to the fixture.")
      }
      return HTTPResponse(
        status: 400, headers: ["content-type": "application/json"],
        body: Array(#"{"error":"invalid_request"}"#.utf8))
    }
    state.log.asked.append(target)
    if let (failing, trouble) = state.rehearsal.trouble, failing == target {
      return try trouble.response(to: request)
    }
    return response(of: target, state)
  }

  private func response(of target: VendorTarget, _ state: State) -> HTTPResponse {
    switch target {
    case .exchange(let index):
      let recorded = state.rehearsal.exchanges[index].response
      var headers = recorded.headers
      let body: String
      switch recorded.body {
      case .none: body = ""
      case .text(let text): body = text
      case .base64(let text):
        return HTTPResponse(
          status: recorded.status, headers: headers, body: Base64.bytes(ofEither: text) ?? [])
      case .json(let json):
        headers["content-type"] = headers["content-type"] ?? "application/json"
        body = json.text
      }
      return HTTPResponse(
        status: recorded.status, headers: headers,
        body: Array(
          (state.idToken.isEmpty ? body : body.replacing("{idToken}", with: state.idToken)).utf8))
    case .keys: return Self.document(state.keySet)
    case .discovery(let url): return Self.document(discovery(at: url))
    }
  }

  private static func document(_ json: JSONValue) -> HTTPResponse {
    HTTPResponse(
      status: 200, headers: ["content-type": "application/json"], body: Array(json.text.utf8))
  }
}

extension ReplayTransport {
  private func target(of request: HTTPRequest, _ state: State) -> VendorTarget? {
    let exchanges = state.rehearsal.exchanges
    if let index = exchanges.firstIndex(where: { $0.request.difference(from: request) == nil }) {
      return .exchange(index)
    }
    guard request.method == .get else { return nil }
    let url = request.url
    if rules.contains(where: { $0.keysURL == url || $0.discoveryURL.map(keysURL) == url }) {
      return .keys(url: url)
    }
    if rules.contains(where: { $0.discoveryURL == url }) { return .discovery(url: url) }
    // A recorded discovery document may name the address of the keys.
    let named = exchanges.contains { exchange in
      if case .json(let json) = exchange.response.body {
        json["jwks_uri"] == .string(url)
      } else {
        false
      }
    }
    return named ? .keys(url: url) : nil
  }

  private func base(of discoveryURL: String) -> String {
    discoveryURL.replacing("/.well-known/openid-configuration", with: "")
  }

  private func keysURL(of discoveryURL: String) -> String { base(of: discoveryURL) + "/keys" }

  /// A document for an issuer without a recorded one: its endpoints are below the issuer.
  private func discovery(at url: String) -> JSONValue {
    let rule = rules.first { $0.discoveryURL == url }
    let base = base(of: url)
    return [
      "issuer": .string(rule?.issuers.first ?? base),
      "authorization_endpoint": .string(base + "/authorize"),
      "token_endpoint": .string(base + "/token"),
      "userinfo_endpoint": .string(base + "/userinfo"),
      "revocation_endpoint": .string(base + "/revoke"),
      "jwks_uri": .string(rule?.keysURL ?? keysURL(of: url)),
      "response_types_supported": ["code"], "subject_types_supported": ["public"],
      "id_token_signing_alg_values_supported": .array(
        (rule?.algorithms ?? []).map { .string($0.rawValue) }),
      "token_endpoint_auth_methods_supported": ["client_secret_basic", "client_secret_post"],
      "code_challenge_methods_supported": ["S256"],
    ]
  }

  /// Describes an unlisted request, with its first wrong part or the listed requests.
  private func explanation(
    of request: HTTPRequest, _ exchanges: [Fixture.Exchange]
  ) -> String {
    let url = request.url.prefix { $0 != "?" }
    let asked = "\(request.method.rawValue) \(url)"
    for exchange in exchanges {
      if case .member(let name)? = exchange.request.difference(from: request) {
        return "\(asked) (its \(name) differs from the fixture)"
      }
    }
    let addresses = exchanges.map { "\($0.request.method) \($0.request.url)" }
    return addresses.isEmpty
      ? "\(asked) (the scenario lists no exchange)"
      : "\(asked) (the scenario lists \(addresses.joined(separator: ", ")))"
  }
}
