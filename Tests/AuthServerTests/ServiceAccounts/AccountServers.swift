import AuthCore
import AuthTesting
import BuiltInProviders
import Foundation
import HTTPClientTransport
import SessionTokens
import Testing

@testable import IdentityToolkitService

/// Two servers on one store, each with its own caches, that issue access tokens for two projects.
struct AccountServers {
  static let project = "demo-shop"
  static let other = "other-shop"
  static let address = "https://auth.example.com"
  /// What Firebase's Admin SDKs ask for.
  static let google =
    "https://www.googleapis.com/auth/cloud-platform https://www.googleapis.com/auth/datastore "
    + "https://www.googleapis.com/auth/firebase https://www.googleapis.com/auth/userinfo.email"

  let clock = FixedClock()
  let store = MemoryStore()
  let secrets = EphemeralSealing()
  let first: ServerServices
  let second: ServerServices

  init(_ configure: (inout ServiceOptions) -> Void = { _ in }) {
    var options = ServiceOptions(project: Self.project, publicURL: Self.address)
    options.settings.projects = [Self.other]
    options.settings.rateLimits = .none
    options.signing = .es256
    let clock = clock
    options.clock = { clock.now }
    configure(&options)
    first = ServerServices(
      store: store, secrets: secrets, transport: HTTPClientTransport(), options: options)
    second = ServerServices(
      store: store, secrets: secrets, transport: HTTPClientTransport(), options: options)
  }

  var tokens: AdminTokens { first.adminTokens }

  func admin(_ project: String = project) -> Caller {
    Caller(scope: Scope(project: project), authority: .admin("root"), reason: "test")
  }

  /// Makes a service account as the command line does.
  func account(
    _ name: String = "ci", _ scopes: Set<AdminScope> = [.all], in project: String = project,
    expiresAt: Timestamp? = nil
  ) async throws -> AccountKey {
    let file = try await tokens.newServiceAccount(
      name: name, scopes: scopes, expiresAt: expiresAt, server: Self.address, by: admin(project))
    return try AccountKey(file.content.reveal(), clock)
  }

  typealias Reply = (status: Int, json: JSONValue)

  /// Sends a form to the token endpoint.
  func ask(
    _ form: [String: String], of server: ServerServices? = nil, from peer: String = "192.0.2.1"
  ) async throws -> Reply {
    let text = form.map { name, value in
      "\(name)=\(value.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "")"
    }.joined(separator: "&")
    return try await answer(
      ServerRequest(
        method: "POST", path: "/token",
        headers: ["content-type": "application/x-www-form-urlencoded"], body: Array(text.utf8),
        peer: peer), of: server)
  }

  /// Exchanges an assertion.
  func exchange(_ assertion: String, at server: ServerServices? = nil) async throws -> Reply {
    try await ask(
      [
        "grant_type": "urn:ietf:params:oauth:grant-type:jwt-bearer", "assertion": assertion,
      ], of: server)
  }

  /// Returns an access token for a key.
  func accessToken(_ key: AccountKey, scope: String = google) async throws -> String {
    let reply = try await exchange(try key.assertion(["scope": .string(scope)]))
    return try #require(reply.json["access_token"]?.stringValue, "\(reply.json.text)")
  }

  /// Calls an operation with a bearer token.
  func call(
    _ method: String, _ path: String, _ body: JSONValue? = nil, bearer: String? = nil,
    at server: ServerServices? = nil
  ) async throws -> Reply {
    var headers = ["content-type": "application/json"]
    headers["authorization"] = bearer.map { "Bearer \($0)" }
    return try await answer(
      ServerRequest(
        method: method, path: path, query: bearer == nil ? "key=k" : "", headers: headers,
        body: Array((body?.text ?? "").utf8), peer: "192.0.2.1"), of: server)
  }

  /// Lists accounts; 200 if the token is good for it.
  func list(
    _ token: String, in project: String = project, at server: ServerServices? = nil
  ) async throws -> Int {
    try await call(
      "GET", "/v1/projects/\(project)/accounts:batchGet", bearer: token, at: server
    ).status
  }

  private func answer(_ request: ServerRequest, of server: ServerServices?) async throws -> Reply {
    let response = await Dispatcher(server ?? first).answer(request).response
    return (response.status, try JSONValue(text: String(decoding: response.body, as: UTF8.self)))
  }
}

/// The file of a service account, as a client uses it.
struct AccountKey {
  let file: JSONValue
  let key: SigningKey
  private let clock: FixedClock

  init(_ file: JSONValue, _ clock: FixedClock) throws {
    self.file = file
    self.clock = clock
    key = try SigningKey(
      pem: Secret(file["private_key"]?.stringValue ?? ""), field: "private_key",
      keyID: file["private_key_id"]?.stringValue ?? "")
  }

  var email: JSONValue { file["client_email"] ?? .null }
  var seconds: Int64 { clock.now.milliseconds / 1000 }

  /// Returns the claims of a request for an access token; a null leaves one out.
  func claims(_ changes: [String: JSONValue] = [:]) -> JSONValue {
    var claims: [String: JSONValue] = [
      "iss": email, "aud": file["token_uri"] ?? .null, "iat": .integer(seconds),
      "exp": .integer(seconds + 3600), "scope": .string(AccountServers.google),
    ]
    for (name, value) in changes { claims[name] = value == .null ? nil : value }
    return .object(claims)
  }

  /// Signs a request for an access token.
  func assertion(_ changes: [String: JSONValue] = [:], keyID: String? = nil) throws -> String {
    try key.sign(claims(changes), keyID: keyID)
  }

  /// Signs a custom token, as the SDKs do.
  func customToken(_ uid: String, tenant: String? = nil) throws -> String {
    var claims: [String: JSONValue] = [
      "iss": email, "sub": email, "aud": .string(CustomTokenIssuer.audience),
      "iat": .integer(seconds), "exp": .integer(seconds + 3600), "uid": .string(uid),
    ]
    claims["tenant_id"] = tenant.map(JSONValue.string)
    return try key.sign(.object(claims))
  }
}
