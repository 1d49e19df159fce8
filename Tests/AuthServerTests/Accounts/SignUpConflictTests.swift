import AuthCore
import AuthTesting
import Testing

@testable import IdentityToolkitService

@Suite struct `Opening an account with a taken address while a script decides on conflicts` {
  /// Puts a script to use after an account was opened.
  private func decide(
    _ body: String, hiding isHidden: Bool, on home: ServerHome
  ) async throws {
    _ = try await home.openAccount(named: "Ada")
    try await home.setSettings {
      $0.signIn.hidesAccounts = isHidden
      $0.signIn.blockingFunctions.script = PolicySource(
        name: "hooks.lua", text: "return hooks { on_conflict = function(event) \(body) end }")
    }
  }

  private func signUp(_ home: ServerHome) async throws -> Reply {
    try await home.post(
      ServerHome.signUp, ["email": "ada@example.com", "password": "another-secret"])
  }

  @Test(arguments: [true, false])
  func `refuse gives its reason and its code`(isHidden: Bool) async throws {
    try await withServer(.production) { home in
      try await decide(
        "return refuse('sign in as staff', { code = 'staff' })", hiding: isHidden, on: home)
      let reply = try await signUp(home)
      #expect(reply.status == 400 && reply.json["idToken"] == nil, "\(reply.text)")
      #expect(reply.message?.hasPrefix("BLOCKING_FUNCTION_ERROR_RESPONSE : ") == true)
      #expect(reply.message?.contains("sign in as staff") == true, "\(reply.text)")
      #expect(reply.message?.contains("staff") == true)
      #expect(try await home.enter("ada@example.com", "opensesame").status == 200)
    }
  }

  @Test(arguments: [
    "", "return ask()", "return merge()", "return allow()", "return require 'approval'",
    "return require 'second factor'",
  ])
  func `attack: every other answer is EMAIL_EXISTS, as without a script`(
    body: String
  ) async throws {
    try await withServer(.production) { home in
      try await decide(body, hiding: true, on: home)
      expectFailure(try await signUp(home), "EMAIL_EXISTS")
      #expect(try await home.enter("ada@example.com", "another-secret").status == 400)
    }
  }

  @Test(arguments: [true, false])
  func `attack: with hidden accounts no answer can tell what the account has`(
    isHidden: Bool
  ) async throws {
    try await withServer(.production) { home in
      try await decide(
        """
        local account = event.account
        return refuse("ways in: " .. #account.providerData .. ", name: " .. (account.displayName or "-"))
        """, hiding: isHidden, on: home)
      let message = try await signUp(home).message
      #expect(
        message?.contains(isHidden ? "ways in: 0, name: -" : "ways in: 1, name: Ada") == true,
        "\(message ?? "none")")
    }
  }

  @Test func `the emulator answers as Firebase's, without asking`() async throws {
    try await withServer(.emulator) { home in
      try await decide("return refuse 'no'", hiding: true, on: home)
      expectFailure(try await signUp(home), "EMAIL_EXISTS")
    }
  }
}
