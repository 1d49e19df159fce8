public import AuthCore
import Foundation
public import LuaPlugins
import Synchronization

/// Sends the requests of one sign-in and keeps them as a scenario of a fixture, without its secrets.
///
/// What is secret in the credential and the settings, tokens in answers and headers are replaced by placeholders,
/// the same ones each time, so that the scenario replays. Cookies and the headers of answers are not kept, save
/// their type. A request's values that look like digests or signatures are left out of what is compared: they would
/// differ when it is replayed. What people are called, and their addresses, stays: look the fixture through before
/// it is given to anybody.
public final class PluginRecorder: HTTPTransport {
  private struct State {
    var mask = SecretMask()
    var exchanges: [(request: HTTPRequest, response: HTTPResponse)] = []
  }

  private let base: any HTTPTransport
  private let declaration: PluginDeclaration
  private let settings: [String: JSONValue]
  private let builder: String
  private let credential: [String: String]
  private let state = Mutex(State())

  /// Makes a recorder for one sign-in.
  ///
  /// - Parameters:
  ///   - base: the way to the vendor.
  ///   - declaration: tells which fields and settings are secret.
  ///   - settings: the provider's settings, the secret ones among them.
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
    state.withLock { state in
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

  public func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    let response = try await base.send(request)
    state.withLock { state in
      if let json = response.json {
        state.mask.learn(from: json)
      } else {
        state.mask.learn(fromForm: String(decoding: response.body, as: UTF8.self))
      }
      state.exchanges.append((request, response))
    }
    return response
  }

  /// The scenario of what was recorded, with how the sign-in ended as its expectation.
  ///
  /// Requests for keys are left out, as a fixture's ID token is signed with a test key.
  public func scenario(
    named name: String, _ result: Result<VerifiedIdentity, AuthError>
  ) -> Fixture.Scenario {
    state.withLock { state in
      let mask = state.mask
      var exchanges: [Fixture.Exchange] = []
      for (request, response) in state.exchanges {
        let exchange = exchange(request, response, mask)
        if !exchange.isKeySet, !exchanges.contains(exchange) { exchanges.append(exchange) }
      }
      return Fixture.Scenario(
        name: name, settings: [:], builder: builder,
        credential: credential.mapValues { mask.masked($0) }, idToken: claims(mask),
        exchanges: exchanges, expectation: expectation(result, mask))
    }
  }

  /// The settings for the fixture: without secrets, and without what stands in for the vendor.
  public var fixtureSettings: [String: JSONValue] {
    let mask = state.withLock { $0.mask }
    return settings.filter { !["servers", "privateHosts"].contains($0.key) }
      .mapValues { mask.masked($0) }
  }

  /// Whether a text holds one of the secrets.
  public func leaks(_ text: String) -> Bool { state.withLock { $0.mask.leaks(text) } }

  /// What depends on the hour, or on what is replaced.
  private static let passingClaims = [
    "iat", "exp", "nbf", "at_hash", "c_hash", "s_hash", "auth_time", "updated_at", "rt_hash",
  ]

  private func claims(_ mask: SecretMask) -> [String: JSONValue]? {
    guard let claims = mask.idToken else { return nil }
    var kept = claims.filter { !Self.passingClaims.contains($0.key) }.mapValues { mask.masked($0) }
    if kept["nonce"] != nil, let nonce = credential["nonce"] {
      kept["nonce"] = .string(mask.masked(nonce))
    }
    return kept
  }

  private func expectation(
    _ result: Result<VerifiedIdentity, AuthError>, _ mask: SecretMask
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
      var expected = fields.mapValues { mask.masked(JSONValue.optional($0)) }
      expected["emailVerified"] = .bool(identity.emailVerified)
      return .identity(expected)
    }
  }
}

extension PluginRecorder {
  private func exchange(
    _ request: HTTPRequest, _ response: HTTPResponse, _ mask: SecretMask
  ) -> Fixture.Exchange {
    var kept = Fixture.Request(url: mask.masked(vendorURL(request.url)))
    kept.method = request.method.rawValue
    kept.query = comparable(URLText.query(of: request.url) ?? [:], mask)
    for (name, value) in request.headers where name.lowercased() == "authorization" {
      kept.headers["authorization"] = mask.masked(header: value)
    }
    let body = String(decoding: request.body, as: UTF8.self)
    let type = request.headers.first { $0.name.lowercased() == "content-type" }?.value
    if type?.contains("json") == true, case .object(let members)? = try? JSONValue(text: body) {
      kept.json = members.mapValues { mask.masked($0) }
        .filter { !isPassing($0.value.stringValue ?? "") }
    } else if !body.isEmpty {
      kept.form = comparable(URLText.query(of: "https://form.example/?\(body)") ?? [:], mask)
    }
    var answer = Fixture.Response(status: response.status)
    if let json = response.json {
      answer.body = .json(mask.masked(json))
    } else if !response.body.isEmpty {
      answer.body = .text(mask.masked(String(decoding: response.body, as: UTF8.self)))
      answer.headers = response.headers.filter { $0.key == "content-type" }
    }
    return Fixture.Exchange(request: kept, response: answer)
  }

  /// The vendor's own address, without its query, where another server stood in for it.
  private func vendorURL(_ url: String) -> String {
    let address = String(url.prefix { $0 != "?" })
    guard case .object(let servers)? = settings["servers"] else { return address }
    for (host, server) in servers {
      guard let base = server.stringValue else { continue }
      let start = base.hasSuffix("/") ? String(base.dropLast()) : base
      if address.hasPrefix(start) { return "https://\(host)\(address.dropFirst(start.count))" }
    }
    return address
  }

  private func comparable(_ fields: [String: String], _ mask: SecretMask) -> [String: String] {
    fields.mapValues { mask.masked($0) }.filter { !isPassing($0.value) }
  }

  /// Whether a value looks like a digest, a signature or a signed token, which another run makes anew.
  private func isPassing(_ value: String) -> Bool {
    guard value.count >= 32, !value.hasPrefix("the-"), value != SecretMask.idTokenPlaceholder else {
      return false
    }
    return value.wholeMatch(of: /[A-Za-z0-9+\/=_.\-]+/) != nil && value.contains(where: \.isNumber)
  }
}

extension Fixture.Exchange {
  /// Whether it only fetched public keys.
  fileprivate var isKeySet: Bool {
    guard case .json(let json) = response.body, case .array(let keys) = json["keys"] else {
      return false
    }
    return !keys.isEmpty && keys.allSatisfy { $0["kty"] != nil }
  }
}
