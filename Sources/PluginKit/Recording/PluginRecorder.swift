public import AuthCore
import Foundation
public import LuaPlugins
import NIOConcurrencyHelpers

/// Sends the requests of one sign-in and records them as a scenario of a fixture, without its secrets.
///
/// Secrets in the credential and the settings, and tokens in answers and headers, become placeholders, the same
/// ones each time, so that the scenario can be replayed. Cookies are not recorded, nor the headers of answers
/// except their type. A request's values that look like digests or signatures are not compared, because a replay
/// makes them anew; a credential that was signed with a secret of the settings in a usual way is signed anew as well. If
/// servers stand in for hosts, the recorded addresses are those that the plug-in requested, and
/// answers name the vendor's own. Names and addresses of people are kept: review the fixture before you share it.
public final class PluginRecorder: HTTPTransport {
  private struct State {
    var mask = SecretMask()
    var overrides: ServerOverrides
    var exchanges: [(request: HTTPRequest, url: String, response: HTTPResponse)] = []
    var failure: (any Error)?
  }

  private let base: any HTTPTransport
  private let declaration: PluginDeclaration
  private let settings: [String: JSONValue]
  private let builder: String
  private let credential: [String: String]
  private let state: NIOLockedValueBox<State>

  /// Makes a recorder for one sign-in.
  ///
  /// - Parameters:
  ///   - base: sends the requests to the vendor.
  ///   - declaration: decides which fields and settings are secret.
  ///   - settings: the provider's settings, including secrets.
  ///   - builder: the name of the credential's builder.
  ///   - credential: the credential's fields.
  public init(
    _ base: any HTTPTransport, declaration: PluginDeclaration, settings: [String: JSONValue],
    builder: String, credential: [String: String]
  ) {
    self.base = base
    self.declaration = declaration
    self.settings = settings
    self.builder = builder
    self.credential = credential
    state = NIOLockedValueBox(State(overrides: ServerOverrides(settings)))
    state.withLockedValue { state in
      for field in declaration.settings where field.type == .secret {
        if let secret = settings[field.name]?.stringValue {
          state.mask.learn(secret, named: field.name)
        }
      }
      let fields = declaration.builders.first { $0.name == builder }?.fields ?? []
      for field in fields where field.isSecret {
        if let secret = credential[field.name] { state.mask.learn(secret, named: field.name) }
      }
    }
  }

  /// The host that the plug-in has to run on.
  public var host: PluginHost {
    PluginHost(
      transport: self,
      rewritten: { asked, sent in
        self.state.withLockedValue { $0.overrides.note(asked: asked, sent: sent) }
      })
  }

  /// Sends a request, and records it with its answer.
  public func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    let url = state.withLockedValue { $0.overrides.vendorURL(of: request.url) }
    let response: HTTPResponse
    do {
      response = try await base.send(request)
    } catch {
      state.withLockedValue { $0.failure = $0.failure ?? error }
      throw error
    }
    state.withLockedValue { state in
      if let json = response.json {
        state.mask.learn(from: json)
      } else {
        state.mask.learn(fromForm: String(decoding: response.body, as: UTF8.self))
      }
      state.exchanges.append((request, url, response))
    }
    return response
  }

  /// Makes a scenario of the recorded exchanges, with the sign-in's result as its expectation.
  ///
  /// Requests for keys are left out, because a fixture's ID token is signed with a test key.
  public func scenario(
    named name: String, _ result: Result<VerifiedIdentity, AuthError>
  ) -> Fixture.Scenario {
    state.withLockedValue { state in
      let mask = state.mask
      var scenario = Fixture.Scenario(
        name: name, source: source, settings: [:], builder: builder,
        credential: credential.mapValues { mask.masked($0) }, idToken: claims(state),
        exchanges: exchanges(state), expectation: expectation(result, state))
      let secrets = settings.filter { setting in
        declaration.settings.contains { $0.name == setting.key && $0.type == .secret }
      }
      let search = SealSearch(
        credential: credential, secrets: secrets.compactMapValues(\.stringValue), now: .now())
      if let finding = search.finding() {
        scenario.credential.merge(finding.credential.mapValues { mask.masked($0) }) { $1 }
        scenario.seals = finding.seals
        scenario.seals.payloads = finding.seals.payloads.mapValues { mask.masked($0) }
      }
      return scenario
    }
  }

  /// The vendor, unless another server stood in for it.
  private var source: Fixture.Source {
    let date = String(Timestamp.now().text.prefix(10))
    if case .object(let servers)? = settings["servers"], !servers.isEmpty {
      return Fixture.Source(
        .implementation, "a server in place of \(declaration.name)", date: date)
    }
    return Fixture.Source(.recorded, declaration.name, date: date)
  }

  /// The settings for the fixture, without secrets and without stand-in servers.
  ///
  /// A private host stays if a recorded address still needs it, such as an issuer that is a setting.
  public var fixtureSettings: [String: JSONValue] {
    state.withLockedValue { state in
      var kept = settings.filter { !["servers", "privateHosts"].contains($0.key) }
        .mapValues { state.mask.masked($0) }
      let addresses =
        kept.values.map(\.text)
        + exchanges(state).flatMap { exchange in
          if case .json(let json) = exchange.response.body {
            [exchange.request.url, json.text]
          } else {
            [exchange.request.url]
          }
        }
      if case .array(let hosts)? = settings["privateHosts"] {
        let used = hosts.filter { host in
          addresses.contains { $0.contains("http://\(host.stringValue ?? "")") }
        }
        if !used.isEmpty { kept["privateHosts"] = .array(used) }
      }
      return kept
    }
  }

  /// The transport's first error; nil if every request was answered.
  public var transportFailure: (any Error)? { state.withLockedValue { $0.failure } }

  /// Tells whether a text contains one of the secrets.
  public func leaks(_ text: String) -> Bool { state.withLockedValue { $0.mask.leaks(text) } }

  /// The place of a secret in a fixture, with scenario, path and the right placeholder; nil if there is none.
  public func leak(in fixture: Fixture) -> String? {
    guard let written = try? JSONValue(text: fixture.text) else { return nil }
    return state.withLockedValue { LeakSearch(mask: $0.mask).place(in: written, []) }
  }

  /// Claims that depend on the time or on replaced values.
  private static let passingClaims = [
    "iat", "exp", "nbf", "at_hash", "c_hash", "s_hash", "auth_time", "updated_at", "rt_hash",
  ]

  private func claims(_ state: State) -> [String: JSONValue]? {
    let mask = state.mask
    guard let claims = mask.idToken else { return nil }
    var kept = claims.filter { !Self.passingClaims.contains($0.key) }
      .mapValues { mask.masked(state.overrides.named($0)) }
    if kept["nonce"] != nil, let nonce = credential["nonce"] {
      kept["nonce"] = .string(mask.masked(nonce))
    }
    return kept
  }

  private func expectation(
    _ result: Result<VerifiedIdentity, AuthError>, _ state: State
  ) -> Fixture.Expectation {
    switch result {
    case .failure(let error):
      return .error(code: error.code.rawValue, step: error.step?.rawValue, field: error.field)
    case .success(let identity):
      let fields: [String: String?] = [
        "subject": identity.key?.subject, "issuer": identity.key?.issuer,
        "email": identity.profile.email, "displayName": identity.profile.displayName,
        "photoURL": identity.profile.photoURL, "screenName": identity.profile.screenName,
        "phoneNumber": identity.profile.phoneNumber,
      ]
      var expected = fields.mapValues {
        state.mask.masked(state.overrides.named(JSONValue.optional($0)))
      }
      expected["emailVerified"] = .bool(identity.emailVerified)
      return .identity(expected)
    }
  }
}

extension PluginRecorder {
  private func exchanges(_ state: State) -> [Fixture.Exchange] {
    var exchanges: [Fixture.Exchange] = []
    for (request, url, response) in state.exchanges {
      let exchange = Fixture.Exchange(
        request: kept(request, url, state.mask), response: kept(response, state))
      if !exchange.isKeySet, !exchanges.contains(exchange) { exchanges.append(exchange) }
    }
    return exchanges
  }

  /// Headers that do not affect the answer, and those that are compared by other means.
  private static let passingHeaders: Set<String> = [
    "accept", "accept-encoding", "authorization", "content-length", "content-type", "cookie",
    "date", "host", "user-agent",
  ]

  private func kept(_ request: HTTPRequest, _ url: String, _ mask: SecretMask) -> Fixture.Request {
    var kept = Fixture.Request(url: mask.masked(url))
    kept.method = request.method.rawValue
    kept.query = comparable(URLText.query(of: request.url) ?? [:], mask)
    for (name, value) in request.headers {
      let name = name.lowercased()
      let masked = mask.masked(value)
      if name == "authorization" {
        kept.headers[name] = mask.masked(header: value)
      } else if !Self.passingHeaders.contains(name), !isPassing(masked),
        masked != value || !SecretMask.isSecret(name)
      {
        kept.headers[name] = masked
      }
    }
    let body = String(decoding: request.body, as: UTF8.self)
    let type = request.headers.first { $0.name.lowercased() == "content-type" }?.value
    if type?.contains("json") == true, case .object(let members)? = try? JSONValue(text: body) {
      kept.json = members.mapValues { mask.masked($0) }
        .filter { !isPassing($0.value.stringValue ?? "") }
    } else if !body.isEmpty {
      kept.form = comparable(URLText.uniqueFields(of: body) ?? [:], mask)
    }
    return kept
  }

  private func kept(_ response: HTTPResponse, _ state: State) -> Fixture.Response {
    var answer = Fixture.Response(status: response.status)
    if let json = response.json {
      answer.body = .json(state.mask.masked(state.overrides.named(json)))
    } else if !response.body.isEmpty {
      let text = String(decoding: response.body, as: UTF8.self)
      answer.body = .text(state.mask.masked(state.overrides.named(text)))
      answer.headers = response.headers.filter { $0.key == "content-type" }
    }
    return answer
  }

  private func comparable(_ fields: [String: String], _ mask: SecretMask) -> [String: String] {
    fields.mapValues { mask.masked($0) }.filter { !isPassing($0.value) }
  }

  /// Tells whether a value looks like a digest, a signature or a signed token, which differs in each run.
  private func isPassing(_ value: String) -> Bool {
    guard value.count >= 32, !value.hasPrefix("the-"), value != SecretMask.idTokenPlaceholder else {
      return false
    }
    return value.wholeMatch(of: /[A-Za-z0-9+\/=_.\-]+/) != nil && value.contains(where: \.isNumber)
  }
}

extension Fixture.Exchange {
  /// True if the exchange only fetched public keys.
  fileprivate var isKeySet: Bool {
    guard case .json(let json) = response.body, case .array(let keys) = json["keys"] else {
      return false
    }
    return !keys.isEmpty && keys.allSatisfy { $0["kty"] != nil }
  }
}
