import AuthCore
import FakeVendors
import Testing

@testable import IdentityToolkitService

@Suite(.serialized) struct `Profiles at later sign-ins` {
  private static let nameless = FakePerson(subject: "1001", email: "ada@example.com")

  @Test(arguments: ServerMode.allCases)
  func `F11: a vendor without a name leaves the person's own, but for the emulator`(
    _ mode: ServerMode
  ) async throws {
    try await withFederation(mode) { home in
      try await home.trust(Federation.google)
      let id = try await home.account(email: "ada@example.com", verified: true) {
        $0.displayName = .set("Chosen")
        $0.photoURL = .set("https://people.example/own.png")
      }

      let reply = try await home.signIn(Federation.google, Self.nameless)

      expectTokens(reply)
      #expect(reply.json["localId"]?.stringValue == id.rawValue)
      let account = try await home.stored(id)
      #expect(account.displayName == (home.isEmulator ? nil : "Chosen"))
      #expect(account.photoURL == (home.isEmulator ? nil : "https://people.example/own.png"))
    }
  }

  @Test func `F11: a name that was deleted stays so, over HTTP`() async throws {
    try await withFederation(.production) { home in
      let ada = FakePerson(subject: "1001", email: "ada@gmail.com", name: "Ada")
      let first = try await home.signIn(Federation.google, ada)
      let id = AccountID(try first.text("localId"))
      #expect(try await home.stored(id).displayName == "Ada")
      let cleared = try await home.server.post(
        "/v1/accounts:update",
        ["idToken": .string(try first.text("idToken")), "deleteAttribute": ["DISPLAY_NAME"]])
      #expect(cleared.status == 200)

      let again = try await home.signIn(Federation.google, ada)

      #expect(again.json["localId"]?.stringValue == id.rawValue)
      #expect(try await home.stored(id).displayName == nil)
    }
  }

  @Test func `F11: a tenant begins with its project's setting`() async throws {
    try await withFederation(.production) { home in
      try await home.settings { $0.profileOnSignIn = .keep }
      let reply = try await home.server.admin(
        "POST", home.server.tenantsPath, ["displayName": "acme-inc"])
      let name = try reply.text("name")

      let tenant = try #require(name.split(separator: "/").last.map(String.init))
      let scope = Scope(project: home.server.scope.project, tenant: tenant)
      #expect(try await home.graph.settings(of: scope).profileOnSignIn == .keep)
    }
  }
}
