import AuthCore
import FakeVendors
import SessionTokens
import Testing

@testable import IdentityToolkitService

extension Federation {
  /// Returns the form with a vendor's token, as an app posts it: a genuine token, or a fake one.
  func postBody(
    _ provider: ProviderID, _ person: FakePerson, claims: [String: JSONValue] = [:],
    hostile: HostileToken? = nil
  ) throws -> String {
    var fields = [(name: "providerId", value: provider.rawValue)]
    if isEmulator {
      var made: [String: JSONValue] = ["sub": .string(person.subject)]
      made["email"] = person.email.map(JSONValue.string)
      made["email_verified"] = person.emailVerified.map(JSONValue.bool)
      made["name"] = person.name.map(JSONValue.string)
      made["picture"] = person.picture.map(JSONValue.string)
      made.merge(claims) { _, new in new }
      fields.append((name: "id_token", value: JSONValue.object(made).text))
    } else {
      let nonce = "nonce-\(next())"
      let token = try vendor(provider).idToken(
        for: person, nonce: nonce, claims: claims, hostile: hostile)
      fields += [(name: "id_token", value: token), (name: "nonce", value: nonce)]
    }
    return URLText.form(fields)
  }

  /// Signs a person in over HTTP, or links to the session of the ID token.
  @discardableResult
  func signIn(
    _ provider: ProviderID, _ person: FakePerson, claims: [String: JSONValue] = [:],
    idToken: String? = nil, returning: Bool? = nil, tenant: String? = nil
  ) async throws -> Reply {
    var body: [String: JSONValue] = ["returnSecureToken": true]
    body["idToken"] = idToken.map(JSONValue.string)
    body["returnIdpCredential"] = returning.map(JSONValue.bool)
    body["tenantId"] = tenant.map(JSONValue.string)
    return try await signIn(
      postBody: try postBody(provider, person, claims: claims), body)
  }

  @discardableResult
  func signIn(
    postBody: String?, _ further: [String: JSONValue] = [:]
  ) async throws -> Reply {
    var body = further
    body["requestUri"] = body["requestUri"] ?? "http://localhost"
    body["postBody"] = postBody.map(JSONValue.string)
    return try await server.post("/v1/accounts:signInWithIdp", .object(body))
  }

  /// Makes an account with a password, as an admin does.
  func account(
    email: String, verified: Bool, password: String? = "opensesame",
    _ change: (inout ProfileChanges) throws -> Void = { _ in }
  ) async throws -> AccountID {
    var changes = ProfileChanges()
    changes.email = .set(try EmailAddress(email))
    changes.emailVerified = verified
    changes.password = password.map { Secret($0) }
    try change(&changes)
    return try await graph.create(changes, by: server.admin).accountID
  }

  /// Makes an account with a phone as its second factor.
  func guardedAccount(email: String, password: String = "opensesame") async throws -> AccountID {
    let id = try await account(email: email, verified: true, password: password)
    var changes = ProfileChanges()
    changes.secondFactors = [
      SecondFactor(
        id: "factor-1", kind: .phone(try PhoneNumber("+15555550123")), displayName: "Phone")
    ]
    _ = try await graph.update(id, changes, by: server.admin)
    return id
  }

  /// Returns the ID token of a new session with a password.
  func session(email: String, password: String = "opensesame") async throws -> String {
    try await session(
      .password, ["email": email, "password": password])
  }

  /// Returns the ID token of an anonymous account.
  func anonymousSession() async throws -> String { try await session(.anonymous, [:]) }

  private func session(_ provider: ProviderID, _ fields: [String: String]) async throws -> String {
    let result = try await graph.signIn(
      try graph.providers.credential(provider, fields),
      by: Caller(scope: server.scope, authority: .anyone))
    let grant = try #require(result.session)
    return try await server.services.tokens.issue(grant, result.account).idToken.reveal()
  }

  func stored(_ id: AccountID) async throws -> Account {
    try #require(try await graph.account(id, in: server.scope))
  }

  func stored(_ reply: Reply) async throws -> Account {
    try await stored(AccountID(try reply.text("localId")))
  }

  func accountCount() async throws -> Int { try await graph.accountCount(in: server.scope) }

  /// Returns the claims of the ID token in an answer.
  func claims(_ reply: Reply) throws -> JSONValue {
    let parts = try reply.text("idToken").split(separator: ".", omittingEmptySubsequences: false)
    let bytes = try #require(Base64.url.bytes(of: parts[1].utf8))
    return try JSONValue(text: String(decoding: bytes, as: UTF8.self))
  }
}

/// Expects an answer with tokens.
func expectTokens(_ reply: Reply, sourceLocation: SourceLocation = #_sourceLocation) {
  #expect(reply.status == 200, "\(reply.text)", sourceLocation: sourceLocation)
  for name in ["idToken", "refreshToken"] {
    let text = reply.json[name]?.stringValue ?? ""
    #expect(!text.isEmpty, "no \(name)", sourceLocation: sourceLocation)
  }
  #expect(reply.json["expiresIn"] == "3600", sourceLocation: sourceLocation)
  for name in ["needConfirmation", "errorMessage", "mfaPendingCredential", "error"] {
    #expect(reply.json[name] == nil, "\(name)", sourceLocation: sourceLocation)
  }
}

/// Expects an answer with the provider's claims and without tokens.
func expectNoTokens(_ reply: Reply, sourceLocation: SourceLocation = #_sourceLocation) {
  #expect(reply.status == 200, "\(reply.text)", sourceLocation: sourceLocation)
  for name in ["idToken", "refreshToken", "expiresIn", "isNewUser"] {
    #expect(reply.json[name] == nil, "\(name)", sourceLocation: sourceLocation)
  }
  #expect(reply.json["providerId"] != nil, sourceLocation: sourceLocation)
}

/// Expects an error.
func expectFailure(
  _ reply: Reply, _ message: String, status: Int = 400,
  sourceLocation: SourceLocation = #_sourceLocation
) {
  #expect(reply.status == status, "\(reply.text)", sourceLocation: sourceLocation)
  // A bare code may have a sentence behind it.
  let said = message.contains(" ") ? reply.message : reply.code
  #expect(said == message, "\(reply.text)", sourceLocation: sourceLocation)
  #expect(reply.json["idToken"] == nil, sourceLocation: sourceLocation)
}
