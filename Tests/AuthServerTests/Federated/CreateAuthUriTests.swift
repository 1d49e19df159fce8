import AuthCore
import FakeVendors
import Testing
import TestSupport

@testable import IdentityToolkitService

@Suite(.serialized) struct `Ways in of an address` {
  static let path = "/v1/accounts:createAuthUri"
  static let place: JSONValue = "http://localhost"

  /// A request, and the message of its refusal.
  typealias Refusal = TableRow<JSONValue, String>

  static let refusals = [
    Refusal("no address", ["continueUri": place], "MISSING_IDENTIFIER"),
    Refusal("an empty address", ["identifier": "", "continueUri": place], "MISSING_IDENTIFIER"),
    Refusal("no place", ["identifier": "ada@example.com"], "MISSING_CONTINUE_URI"),
    Refusal(
      "an empty place", ["identifier": "ada@example.com", "continueUri": ""],
      "MISSING_CONTINUE_URI"),
    Refusal(
      "a word as address", ["identifier": "invalid", "continueUri": place], "INVALID_IDENTIFIER"),
    Refusal(
      "a word as place", ["identifier": "ada@example.com", "continueUri": "invalid"],
      "INVALID_CONTINUE_URI"),
  ]

  @Test(arguments: refusals, ServerMode.allCases)
  func `an unreadable request is refused`(_ refusal: Refusal, _ mode: ServerMode) async throws {
    try await withServer(mode) { home in
      expectFailure(try await home.post(Self.path, refusal.input), refusal.expected)
    }
  }

  @Test func `the emulator has no vendors to go to`() async throws {
    try await withServer(.emulator) { home in
      let reply = try await home.post(
        Self.path, ["providerId": "google.com", "continueUri": Self.place])
      #expect(reply.status == 501)
    }
  }

  @Test(arguments: ServerMode.allCases)
  func `an unknown address is not registered`(_ mode: ServerMode) async throws {
    try await withFederation(mode) { home in
      try await home.settings { $0.signIn.hidesAccounts = false }
      let reply = try await ask(home, "nobody@example.com")

      #expect(reply.status == 200)
      #expect(reply.json["kind"] == "identitytoolkit#CreateAuthUriResponse")
      #expect(reply.json["registered"] == false)
      #expect(reply.json["allProviders"] == [])
      #expect(reply.json["signinMethods"] == [])
      #expect(try reply.text("sessionId").count == 27)
    }
  }

  @Test(arguments: ServerMode.allCases)
  func `a session that was named is kept`(_ mode: ServerMode) async throws {
    try await withServer(mode) { home in
      let reply = try await home.post(
        Self.path,
        ["identifier": "a@example.com", "continueUri": Self.place, "sessionId": "my-session"])
      #expect(reply.json["sessionId"] == "my-session")
    }
  }

  @Test(arguments: ServerMode.allCases)
  func `every way in of the address is listed, in any case of letters`(_ mode: ServerMode)
    async throws
  {
    try await withFederation(mode) { home in
      try await home.settings { $0.signIn.hidesAccounts = false }
      _ = try await home.account(email: "ada@example.com", verified: true)
      let token = try await home.session(email: "ada@example.com")
      try await home.signIn(
        Federation.google, FakePerson(subject: "1", email: "ada@example.com"), idToken: token)

      let reply = try await ask(home, "Ada@Example.com")

      #expect(reply.json["registered"] == true)
      #expect(reply.json["allProviders"] == ["password", "google.com"])
      #expect(reply.json["signinMethods"] == ["password", "google.com"])
    }
  }

  @Test(arguments: [true, false])
  func
    `the emulator finds an address that only the vendor gave, and lists no vendor of a shared one`(
      _ isShared: Bool
    ) async throws
  {
    try await withFederation(.emulator) { home in
      let token = try await home.anonymousSession()
      try await home.settings { $0.oneAccountPerEmail = false }
      try await home.signIn(
        Federation.google, FakePerson(subject: "1", email: "ada@example.com"), idToken: token)
      try await home.settings { $0.oneAccountPerEmail = !isShared }

      let reply = try await ask(home, "ada@example.com")

      #expect(reply.json["registered"] == true)
      #expect(reply.json["allProviders"] == (isShared ? [] : ["google.com"]))
      #expect(reply.json["signinMethods"] == (isShared ? [] : ["google.com"]))
    }
  }

  @Test(arguments: ServerMode.allCases)
  func `only the password is listed if addresses are shared`(_ mode: ServerMode) async throws {
    try await withFederation(mode) { home in
      try await home.settings {
        $0.signIn.hidesAccounts = false
        $0.oneAccountPerEmail = false
      }
      _ = try await home.account(email: "ada@example.com", verified: true)
      let token = try await home.session(email: "ada@example.com")
      try await home.signIn(
        Federation.google, FakePerson(subject: "1", email: "ada@example.com"), idToken: token)

      let reply = try await ask(home, "ada@example.com")

      #expect(reply.json["registered"] == true)
      #expect(reply.json["signinMethods"] == ["password"])
    }
  }

  @Test(arguments: ServerMode.allCases)
  func `a project that hides its accounts lists nothing`(_ mode: ServerMode) async throws {
    try await withFederation(mode) { home in
      try await home.settings { $0.signIn.hidesAccounts = true }
      _ = try await home.account(email: "ada@example.com", verified: true)

      let known = try await ask(home, "ada@example.com")
      let unknown = try await ask(home, "nobody@example.com")

      for reply in [known, unknown] {
        guard case .object(let members) = reply.json else { return }
        #expect(members.keys.sorted() == ["kind", "sessionId"])
      }
    }
  }

  private func ask(_ home: Federation, _ email: String) async throws -> Reply {
    try await home.server.post(
      Self.path, ["identifier": .string(email), "continueUri": Self.place])
  }
}
