import AuthCore
import AuthTesting
import FakeVendors
import Testing

@testable import IdentityToolkitService

@Suite(.serialized) struct `Scripts that decide on links over HTTP` {
  private static func hooks(_ function: String, _ body: String) -> PolicySource {
    PolicySource(
      name: "hooks.lua", text: "return hooks { \(function) = function(event) \(body) end }")
  }

  /// The answers of a script with those that clients of Firebase handle.
  @Test(arguments: [
    ("return refuse('not here', { code = 'house' })", "BLOCKING_FUNCTION_ERROR_RESPONSE : "),
    ("return nil, refuse 'not here'", "BLOCKING_FUNCTION_ERROR_RESPONSE : "),
    ("return require 'approval'", "OPERATION_NOT_ALLOWED : This change requires an admin's"),
    ("return require 'second factor'", "CREDENTIAL_TOO_OLD_LOGIN_AGAIN"),
    ("return require('recent login', { seconds = 60 })", "CREDENTIAL_TOO_OLD_LOGIN_AGAIN"),
    ("return event.acount", "BLOCKING_FUNCTION_ERROR_RESPONSE : A hook of the app failed."),
  ])
  func `a link is refused, and changes nothing`(body: String, message: String) async throws {
    try await withFederation(.production) { home in
      let ada = try await home.account(email: "ada@example.com", verified: true)
      try await home.settings {
        $0.signIn.blockingFunctions.script = Self.hooks("before_link", body)
      }
      let session = try await home.session(email: "ada@example.com")
      home.server.clock.advance(seconds: 120)
      let before = try await home.stored(ada)
      let reply = try await home.signIn(.google, .ada, idToken: session)
      #expect(reply.status == 400 && reply.message?.hasPrefix(message) == true, "\(reply.text)")
      #expect(reply.json["idToken"] == nil)
      #expect(try await home.stored(ada).identities == before.identities)
      if body.contains("house") {
        #expect(reply.message?.contains("not here") == true)
        #expect(reply.message?.contains("house") == true)
      }
    }
  }

  @Test func `a recent session gives what a script requires`() async throws {
    try await withFederation(.production) { home in
      let ada = try await home.account(email: "ada@example.com", verified: true)
      try await home.settings {
        $0.signIn.blockingFunctions.script = Self.hooks(
          "before_link", "return require('recent login', { seconds = 60 })")
      }
      let session = try await home.session(email: "ada@example.com")
      expectTokens(try await home.signIn(.google, .ada, idToken: session))
      #expect(try await home.stored(ada).identities.count == 2)
    }
  }

  @Test func `an unlink by deleteProvider is asked about`() async throws {
    try await withFederation(.production) { home in
      let ada = try await home.account(email: "ada@example.com", verified: true)
      let session = try await home.session(email: "ada@example.com")
      expectTokens(try await home.signIn(.google, .ada, idToken: session))
      try await home.settings {
        $0.signIn.blockingFunctions.script = Self.hooks(
          "before_unlink",
          "if event.identity.providerID == 'google.com' then return refuse 'it stays' end")
      }
      let later = try await home.session(email: "ada@example.com")
      let body: JSONValue = ["idToken": .string(later), "deleteProvider": ["google.com"]]
      let reply = try await home.server.post(ServerHome.update, body)
      #expect(reply.message?.contains("it stays") == true, "\(reply.text)")
      #expect(try await home.stored(ada).identities.count == 2)
    }
  }

  @Test(arguments: [
    ("return ask()", nil), ("return refuse 'ask us'", "ask us"), ("return merge()", nil),
  ])
  func `a conflict at a sign-in gives nobody another account without proof`(
    body: String, message: String?
  ) async throws {
    try await withFederation(.production) { home in
      let ada = try await home.account(email: "ada@example.com", verified: true)
      try await home.settings {
        $0.signIn.blockingFunctions.script = Self.hooks("on_conflict", body)
      }
      let reply = try await home.signIn(.google, .ada, claims: ["email_verified": false])
      #expect(reply.json["idToken"] == nil, "\(reply.text)")
      if let message {
        #expect(reply.message?.contains(message) == true, "\(reply.text)")
      } else {
        #expect(reply.json["needConfirmation"] == true, "\(reply.text)")
      }
      #expect(try await home.stored(ada).identities(of: .google).isEmpty)
    }
  }
}
