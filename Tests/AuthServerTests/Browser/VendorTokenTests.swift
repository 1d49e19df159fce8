import AuthCore
import AuthTesting
import FakeVendors
import Testing

@testable import IdentityToolkitService

/// The tokens with which `credentialFromResult` and `credentialFromError` of the JavaScript SDK make a credential.
@Suite("The vendor's tokens after a browser's sign-in", .serialized) struct VendorTokenTests {
  @Test(arguments: HandlerTests.providers)
  func `the app gets them`(_ provider: ProviderID) async throws {
    try await withFederation(.production) { home in
      let browser = Browser(home)
      let data = try await browser.end(
        try await browser.open(.signInViaPopup, provider), provider)

      let reply = try await home.use(data["event"])

      expectTokens(reply)
      #expect(home.vendor(provider).isGood(token: try reply.text("oauthAccessToken")))
      if provider != ProviderID("facebook.com") { _ = try reply.text("oauthIdToken") }
    }
  }

  @Test func `a credential of a conflict links after another sign-in`() async throws {
    try await withFederation(.production) { home in
      let id = try await home.account(email: "ada@example.com", verified: true)
      let browser = Browser(home)
      let data = try await browser.end(
        try await browser.open(.signInViaPopup, Federation.work), Federation.work)
      let conflict = try await home.use(data["event"])
      #expect(conflict.json["needConfirmation"] == true)
      _ = try conflict.text("oauthAccessToken")
      let token = try await home.session(email: "ada@example.com")

      // Without the provider's name, which a pending token implies.
      let linked = try await home.server.post(
        "/v1/accounts:signInWithIdp",
        [
          "requestUri": "http://localhost", "returnSecureToken": true, "idToken": .string(token),
          "pendingToken": .string(try conflict.text("pendingToken")),
        ])

      expectTokens(linked)
      #expect(linked.json["localId"]?.stringValue == id.rawValue)
    }
  }

  @Test func `a credential that belongs to another account signs in to it`() async throws {
    try await withFederation(.production) { home in
      let browser = Browser(home)
      let first = try await browser.end(
        try await browser.open(.signInViaPopup, Federation.work), Federation.work)
      let owner = try await home.use(first["event"])
      let guest = try await home.anonymousSession()
      let second = try await browser.end(
        try await browser.open(.linkViaPopup, Federation.work), Federation.work)

      let taken = try await home.use(second["event"], idToken: guest)

      #expect(taken.json["errorMessage"] == "FEDERATED_USER_ID_ALREADY_LINKED")
      _ = try taken.text("oauthAccessToken")
      let reply = try await home.server.post(
        "/v1/accounts:signInWithIdp",
        [
          "requestUri": "http://localhost", "returnSecureToken": true,
          "pendingToken": .string(try taken.text("pendingToken")),
        ])
      expectTokens(reply)
      #expect(reply.json["localId"] == owner.json["localId"])
    }
  }

  @Test(arguments: ["", "unknown"])
  func `a pending token that stands for nothing implies no provider`(
    _ token: String
  ) async throws {
    try await withFederation(.production) { home in
      let reply = try await home.signIn(postBody: nil, ["pendingToken": .string(token)])
      expectFailure(
        reply,
        token.isEmpty
          ? "INVALID_CREDENTIAL_OR_PROVIDER_ID : Invalid IdP response/credential: http://localhost/"
          : "INVALID_PENDING_TOKEN")
    }
  }

  @Test func `Google's credential of a conflict links by its access token`() async throws {
    try await withFederation(.production) { home in
      let id = try await home.account(email: "ada@example.com", verified: true)
      let browser = Browser(home)
      let data = try await browser.end(try await browser.open(.signInViaPopup))
      let conflict = try await home.use(data["event"])
      #expect(conflict.json["needConfirmation"] == true)
      let body = URLText.form([
        (name: "id_token", value: try conflict.text("oauthIdToken")),
        (name: "access_token", value: try conflict.text("oauthAccessToken")),
        (name: "providerId", value: "google.com"),
      ])
      let token = try await home.session(email: "ada@example.com")

      let linked = try await home.signIn(postBody: body, ["idToken": .string(token)])

      expectTokens(linked)
      #expect(linked.json["localId"]?.stringValue == id.rawValue)
    }
  }

  @Test func `attack 16: an ID token beside an access token is not passed on unverified`()
    async throws
  {
    try await withFederation(.production) { home in
      let forged = try home.google.idToken(for: .bo, nonce: "n")
      let own = home.google.accessToken(for: .ada)
      let reply = try await home.signIn(
        postBody: URLText.form([
          (name: "id_token", value: forged), (name: "access_token", value: own),
          (name: "providerId", value: "google.com"),
        ]))

      expectTokens(reply)
      #expect(reply.json["email"] == "ada@example.com")
      #expect(reply.json["oauthIdToken"] == nil)
    }
  }

  @Test func `without an access token the nonce stays missing`() async throws {
    try await withFederation(.production) { home in
      let token = try home.google.idToken(for: .ada, nonce: "n")
      for more in ["", "&access_token=nonsense"] {
        let reply = try await home.signIn(
          postBody: "providerId=google.com&id_token=\(token)\(more)")
        #expect(reply.status == 400)
        #expect(reply.json["idToken"] == nil)
      }
    }
  }
}
