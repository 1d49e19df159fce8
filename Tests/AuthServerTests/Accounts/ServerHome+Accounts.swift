import AuthCore
import AuthTesting
import BuiltInProviders
import Crypto
import Foundation
import Testing

@testable import IdentityToolkitService

/// A signed-in account, as a client knows it.
struct SignedUp: Sendable {
  let uid: String
  let idToken: String
  let refreshToken: String

  init(_ reply: Reply) throws {
    idToken = try reply.text("idToken")
    refreshToken = try reply.text("refreshToken")
    uid = try #require(try claimsOf(idToken)["user_id"]?.stringValue)
  }

  var session: JSONValue { ["idToken": .string(idToken)] }
}

/// Returns the claims of an ID token.
func claimsOf(_ idToken: String) throws -> JSONValue {
  try #require(UnsignedToken.payload(of: idToken))
}

/// A refused request, for parameterised tests.
struct RefusedCall: Sendable, CustomTestStringConvertible {
  let body: JSONValue
  let message: String
  let modes: [ServerMode]

  init(_ body: JSONValue, _ message: String, in modes: [ServerMode] = ServerMode.allCases) {
    (self.body, self.message, self.modes) = (body, message, modes)
  }

  var testDescription: String { "\(message): \(body.text)" }
}

extension ServerHome {
  static let signUp = "/v1/accounts:signUp"
  static let signIn = "/v1/accounts:signInWithPassword"
  static let update = "/v1/accounts:update"

  /// Creates an account with a password, as a client does.
  func openAccount(
    _ email: String = "ada@example.com", password: String = "opensesame",
    named name: String? = nil
  ) async throws -> SignedUp {
    var body: [String: JSONValue] = ["email": .string(email), "password": .string(password)]
    body["displayName"] = name.map(JSONValue.string)
    return try SignedUp(try await post(Self.signUp, .object(body)))
  }

  func openAnonymously() async throws -> SignedUp { try SignedUp(try await post(Self.signUp)) }

  func enter(_ email: String, _ password: String) async throws -> Reply {
    try await post(Self.signIn, ["email": .string(email), "password": .string(password)])
  }

  /// Returns a client's own record.
  func ownRecord(_ idToken: String) async throws -> JSONValue {
    let reply = try await post("/v1/accounts:lookup", ["idToken": .string(idToken)])
    return try #require(reply.json["users"]?.items.first, "\(reply.text)")
  }

  /// Returns an account's record for an admin.
  func adminRecord(_ uid: String) async throws -> JSONValue? {
    let reply = try await admin(
      "POST", "\(accountsPath):lookup", ["localId": [.string(uid)]])
    return reply.json["users"]?.items.first
  }

  /// Makes an account directly in the graph.
  func makeAccount(
    _ uid: String, email: String? = nil, phone: String? = nil, disabled: Bool = false
  ) async throws {
    var changes = ProfileChanges()
    if let email { changes.email = .set(try EmailAddress(email)) }
    if let phone { changes.phoneNumber = .set(try PhoneNumber(phone)) }
    if disabled { changes.disabled = true }
    _ = try await graph.create(changes, uid: AccountID(uid), by: admin)
  }

  @discardableResult
  func adminUpdate(_ uid: String, _ changes: [String: JSONValue]) async throws -> Reply {
    var body = changes
    body["localId"] = .string(uid)
    return try await admin("POST", "\(accountsPath):update", .object(body))
  }

  func setSettings(
    _ change: @escaping @Sendable (inout ProjectSettings) -> Void
  ) async throws {
    _ = try await graph.changeSettings(by: admin, change)
  }

  /// Opens the scope, so that its settings can be changed before the first request.
  func touch() async throws { try await services.scopes.require(scope) }

  /// Adds a phone to an account as its second factor.
  func guardWithPhone(_ uid: String, _ number: String = "+15555550123") async throws {
    var update = AccountUpdate()
    update.factors = [
      FactorEntry(
        id: "factor-1", phoneNumber: try PhoneNumber(number), displayName: "Phone",
        enrolledAt: "2025-06-15T12:00:00.000Z")
    ]
    update.profile.emailVerified = true
    _ = try await graph.update(AccountID(uid), update, by: admin)
  }
}

/// A maker of custom tokens like an app's server, including tokens that no library would make.
struct TokenMaker: Sendable {
  static let issuer = "server@demo-shop.example"
  private let key = P256.Signing.PrivateKey()

  /// Makes the project, or the scope of another caller, accept the tokens of this maker.
  func register(in home: ServerHome, by caller: Caller? = nil) async throws {
    let maker = try CustomTokenIssuer(
      issuer: Self.issuer, privateKey: Secret(key.pemRepresentation))
    _ = try await home.graph.configure(
      .custom, values: ["publicKeys": [Self.issuer: .string(maker.publicKey)]],
      by: caller ?? home.admin)
  }

  func token(
    _ home: ServerHome, _ changes: [String: JSONValue?] = ["uid": "ada"]
  ) throws -> String {
    let now = home.clock.now.milliseconds / 1000
    var claims: [String: JSONValue] = [
      "iss": .string(Self.issuer), "sub": .string(Self.issuer),
      "aud": .string(CustomTokenIssuer.audience), "iat": .integer(now),
      "exp": .integer(now + 3600),
    ]
    for (name, value) in changes { claims[name] = value }
    let text = Self.part(["alg": "ES256", "typ": "JWT"]) + "." + Self.part(.object(claims))
    let signature = try key.signature(for: Data(text.utf8))
    return text + "." + Self.encode(signature.rawRepresentation)
  }

  /// Returns an unsigned token.
  static func unsigned(_ changes: [String: JSONValue?] = ["uid": "ada"]) -> String {
    var claims: [String: JSONValue] = ["aud": .string(CustomTokenIssuer.audience)]
    for (name, value) in changes { claims[name] = value }
    return part(["alg": "none", "typ": "JWT"]) + "." + part(.object(claims)) + "."
  }

  private static func part(_ value: JSONValue) -> String { encode(Data(value.text.utf8)) }

  private static func encode(_ data: Data) -> String {
    data.base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
      .replacing("=", with: "")
  }
}
