import AuthCore
import AuthTesting
import FakeVendors
import Testing

@testable import IdentityToolkitService

@Suite(.serialized) struct `Sign-ins with real credentials of providers` {
  static let google = Federation.google
  static let facebook = ProviderID("facebook.com")

  @Test(arguments: [ProviderID.google, .apple, facebook, Federation.work])
  func `an ID token with its raw nonce signs in`(_ provider: ProviderID) async throws {
    try await withFederation(.production) { home in
      let reply = try await home.signIn(provider, .ada)

      expectTokens(reply)
      #expect(reply.json["isNewUser"] == true)
      #expect(reply.json["providerId"]?.stringValue == provider.rawValue)
      #expect(reply.json["email"] == "ada@example.com")
      #expect(reply.json["oauthIdToken"]?.stringValue?.isEmpty == false)
      let said = try JSONValue(text: try reply.text("rawUserInfo"))
      #expect(said["sub"]?.stringValue == FakePerson.ada.subject)
      if provider == .google {
        #expect(said["id"] == said["sub"])
        #expect(said["verified_email"] == true)
      }
      let claims = try home.claims(reply)
      #expect(claims["firebase"]?["sign_in_provider"]?.stringValue == provider.rawValue)
    }
  }

  @Test func `a vendor's own field names reach its builder as they are`() async throws {
    let configure: (inout ServerSetup) -> Void = { setup in
      setup.providers = { registry, _ in registry.adding([Widget()]) }
    }
    try await withFederation(.production, configure: configure) { home in
      let reply = try await home.signIn(postBody: "providerId=widget.example&first_name=Ada")

      expectTokens(reply)
      #expect(reply.json["displayName"] == "Ada")
    }
  }

  @Test(arguments: [ProviderID.google, facebook])
  func `an access token signs in`(_ provider: ProviderID) async throws {
    try await withFederation(.production) { home in
      let token = home.vendor(provider).accessToken(for: .ada)
      let reply = try await home.signIn(
        postBody: "providerId=\(provider)&access_token=\(URLText.escaped(token))")

      expectTokens(reply)
      #expect(reply.json["oauthAccessToken"]?.stringValue == token)
    }
  }

  @Test func `Apple's name comes beside the token, once`() async throws {
    try await withFederation(.production) { home in
      let user = #"{"name":{"firstName":"Ada","lastName":"Lovelace"}}"#
      let body = try home.postBody(.apple, .ada) + "&user=" + URLText.escaped(user)

      let reply = try await home.signIn(postBody: body)

      expectTokens(reply)
      #expect(reply.json["displayName"] == "Ada Lovelace")
    }
  }

  @Test(arguments: [ProviderID.apple, facebook])
  func `an ID token without its nonce is refused`(_ provider: ProviderID) async throws {
    try await withFederation(.production) { home in
      let token = try home.vendor(provider).idToken(for: .ada, nonce: "n")
      let reply = try await home.signIn(postBody: "providerId=\(provider)&id_token=\(token)")

      expectFailure(reply, "MISSING_OR_INVALID_NONCE")
    }
  }

  @Test func `an ID token with another nonce is refused`() async throws {
    try await withFederation(.production) { home in
      let token = try home.google.idToken(for: .ada, nonce: "n")
      let reply = try await home.signIn(
        postBody: "providerId=google.com&id_token=\(token)&nonce=another")

      expectFailure(reply, "MISSING_OR_INVALID_NONCE")
    }
  }

  static let refusals: [(String, String)] = [
    (
      "id_token=x",
      "INVALID_CREDENTIAL_OR_PROVIDER_ID : Invalid IdP response/credential: http://localhost/"
    ),
    ("providerId=google.com&id_token=nonsense", "INVALID_IDP_RESPONSE"),
    ("providerId=google.com&access_token=nonsense", "INVALID_IDP_RESPONSE"),
    ("providerId=google.com", "INVALID_IDP_RESPONSE"),
    ("providerId=google.com&id_token={\"sub\":\"1\"}", "INVALID_IDP_RESPONSE"),
    (
      "providerId=github.com&access_token=x",
      "OPERATION_NOT_ALLOWED : The identity provider configuration is not found."
    ),
    (
      "providerId=password&email=ada@example.com&password=opensesame",
      "OPERATION_NOT_ALLOWED : The identity provider configuration is not found."
    ),
    (
      "providerId=anonymous",
      "OPERATION_NOT_ALLOWED : The identity provider configuration is not found."
    ),
    (
      "providerId=saml.work&SAMLResponse=x",
      "OPERATION_NOT_ALLOWED : The identity provider configuration is not found."
    ),
  ]

  @Test(arguments: refusals)
  func `an invalid credential of a provider is refused`(
    _ postBody: String, _ message: String
  ) async throws {
    try await withFederation(.production) { home in
      _ = try await home.account(email: "ada@example.com", verified: true)
      expectFailure(try await home.signIn(postBody: postBody), message)
      #expect(try await home.accountCount() == 1)
    }
  }

  @Test func `a provider that is not set up, or closed, is not allowed`() async throws {
    try await withFederation(.production) { home in
      let closed = try await home.signIn(
        postBody: "providerId=oidc.other&id_token=a.b.c&nonce=n")
      #expect(closed.message?.hasPrefix("OPERATION_NOT_ALLOWED") == true)

      try await home.settings { $0.signIn.closedProviders = [.google] }
      let reply = try await home.signIn(Self.google, .ada)
      #expect(reply.message?.hasPrefix("OPERATION_NOT_ALLOWED") == true)
      #expect(try await home.accountCount() == 0)
    }
  }

  @Test func `an unknown field is refused, a missing or relative address too`() async throws {
    try await withFederation(.production) { home in
      let path = "/v1/accounts:signInWithIdp"
      let unknown = try await home.server.post(path, ["requestUrl": "x"])
      #expect(
        unknown.message
          == "Invalid JSON payload received. Unknown name \"requestUrl\": Cannot find field.")
      expectFailure(try await home.server.post(path, [:]), "MISSING_REQUEST_URI")
      expectFailure(
        try await home.server.post(path, ["requestUri": "nowhere"]), "INVALID_REQUEST_URI")
    }
  }

  @Test func `reauthentication opens no account for an unknown person`() async throws {
    try await withFederation(.production) { home in
      try await home.trust(Self.google)
      _ = try await home.account(email: "ada@example.com", verified: true)
      let stranger = try await home.signIn(
        postBody: try home.postBody(Self.google, .ada), ["autoCreate": false])

      expectFailure(stranger, "USER_NOT_FOUND")
      #expect(try await home.accountCount() == 1)

      let known = try await home.signIn(Self.google, .bo)
      let again = try await home.signIn(
        postBody: try home.postBody(Self.google, .bo), ["autoCreate": false])
      expectTokens(again)
      #expect(again.json["localId"] == known.json["localId"])
    }
  }

  @Test func `a pending token links after another sign-in, once`() async throws {
    try await withFederation(.production) { home in
      let id = try await home.account(email: "ada@example.com", verified: true)
      let refused = try await home.signIn(Self.google, .ada)
      #expect(refused.json["needConfirmation"] == true)
      let pending = try refused.text("pendingToken")
      let token = try await home.session(email: "ada@example.com")
      let body: [String: JSONValue] = ["pendingToken": .string(pending)]

      let linked = try await home.signIn(
        postBody: "providerId=google.com", body.merging(["idToken": .string(token)]) { $1 })

      expectTokens(linked)
      #expect(linked.json["localId"]?.stringValue == id.rawValue)
      expectFailure(
        try await home.signIn(postBody: "providerId=google.com", body), "INVALID_PENDING_TOKEN")
    }
  }

  @Test func `a pending token ends with its time, its provider and its scope`() async throws {
    try await withFederation(.production) { home in
      _ = try await home.account(email: "ada@example.com", verified: true)
      let refused = try await home.signIn(Self.google, .ada)
      let body: [String: JSONValue] = ["pendingToken": .string(try refused.text("pendingToken"))]

      let other = try await home.signIn(postBody: "providerId=oidc.work", body)
      expectFailure(other, "INVALID_PENDING_TOKEN")
      let unknown = try await home.signIn(
        postBody: "providerId=google.com", ["pendingToken": "unknown"])
      expectFailure(unknown, "INVALID_PENDING_TOKEN")
      home.server.clock.advance(seconds: 601)
      expectFailure(
        try await home.signIn(postBody: "providerId=google.com", body), "INVALID_PENDING_TOKEN")
    }
  }

  @Test func `a token of a vendor is revoked for the account that has it`() async throws {
    try await withFederation(.production) { home in
      let reply = try await home.signIn(Self.google, .ada)
      let vendorToken = home.google.accessToken(for: .ada)
      let body: [String: JSONValue] = [
        "providerId": "google.com", "tokenType": "ACCESS_TOKEN", "token": .string(vendorToken),
        "idToken": .string(try reply.text("idToken")),
      ]
      let path = "/v2/accounts:revokeToken"

      let revoked = try await home.server.post(path, .object(body))

      #expect(revoked.status == 200)
      #expect(revoked.json == [:])
      let after = try await home.signIn(
        postBody: "providerId=google.com&access_token=\(URLText.escaped(vendorToken))")
      expectFailure(after, "INVALID_IDP_RESPONSE")
      for (name, value, message) in [
        ("idToken", JSONValue.string(""), "MISSING_ID_TOKEN"),
        ("providerId", "apple.com", "INVALID_PROVIDER_ID"),
        ("providerId", "", "MISSING_PROVIDER_ID"),
      ] {
        let refused = try await home.server.post(
          path, .object(body.merging([name: value]) { $1 }))
        expectFailure(refused, message)
      }
    }
  }

  @Test(arguments: [
    ("/v1/accounts:issueSamlResponse", "OPERATION_NOT_ALLOWED"),
    ("/v1/accounts:verifyIosClient", "MISSING_IOS_APP_TOKEN"),
  ])
  func `a missing feature is refused`(_ path: String, _ code: String) async throws {
    try await withFederation(.production) { home in
      let reply = try await home.server.post(path)
      #expect(reply.status == 400)
      #expect(reply.message?.hasPrefix(code) == true)
    }
  }
}

/// A provider whose credential has a field with an underscore in its name.
private struct Widget: AuthProvider {
  let id = ProviderID("widget.example")
  let manifest = ProviderManifest(
    name: "Widget", kind: .custom,
    builders: [
      CredentialBuilder("widget", fields: [CredentialField("first_name", "the first name")])
    ])

  func verify(
    _ credential: Credential, _ context: VerificationContext
  ) async throws -> VerifiedIdentity {
    let name = try credential.required("first_name")
    return VerifiedIdentity(
      provider: id, key: IdentityKey(id, subject: name), profile: IdentityProfile(displayName: name)
    )
  }
}
