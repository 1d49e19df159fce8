import AuthCore
import LuaPlugins
import Testing

@testable import IdentityToolkitService

@Suite struct `Hooks over HTTP` {
  private static let script = """
    return hooks {
      before_create = function(event)
        if event.account.email == "eve@example.com" then return refuse "not you" end
      end,
      before_sign_in = function(event)
        return { sessionClaims = { plan = "basic" } }
      end,
    }
    """

  @Test(arguments: ServerMode.allCases)
  func `a script is put to use, asked, shown and removed`(mode: ServerMode) async throws {
    try await withServer(mode, configure: { $0.hooks = LuaSignInHooks() }) { home in
      let path = "\(home.adminRoot)/hooks"
      #expect(try await home.admin("GET", path).status == 404)
      let used = try await home.admin(
        "PUT", path, ["name": "hooks.lua", "text": .string(Self.script), "reason": "asked"])
      #expect(used.json["action"] == "change-settings", "\(used.text)")
      #expect(
        try await home.admin("GET", path).json == [
          "file": "hooks.lua", "text": .string(Self.script),
        ])
      let ada = try await home.openAccount()
      #expect(try claimsOf(ada.idToken)["plan"] == "basic")
      let eve = try await home.post(
        ServerHome.signUp, ["email": "eve@example.com", "password": "opensesame"])
      #expect(eve.status == 400)
      #expect(eve.message?.hasPrefix("BLOCKING_FUNCTION_ERROR_RESPONSE : ") == true)
      #expect(eve.message?.contains("not you") == true)
      // Firebase's settings of functions are separate, and leave the script in use.
      let config = try await home.admin(
        "PATCH", "\(home.configPath)?updateMask=blockingFunctions", ["blockingFunctions": [:]])
      #expect(config.status == 200, "\(config.text)")
      #expect(try await home.admin("GET", path).status == 200)
      #expect(try await home.admin("DELETE", path).status == 200)
      #expect(try await home.admin("GET", path).status == 404)
      let later = try SignedUp(try await home.enter("ada@example.com", "opensesame"))
      #expect(try claimsOf(later.idToken)["plan"] == nil)
    }
  }

  @Test(arguments: ["return hooks {", "return {}", "return hooks { before_lunch = 1 }"])
  func `a text that is no script of hooks is not used`(text: String) async throws {
    try await withServer(.production) { home in
      let path = "\(home.adminRoot)/hooks"
      let reply = try await home.admin("PUT", path, ["name": "x.lua", "text": .string(text)])
      #expect(reply.status == 400)
      #expect(reply.json["error"]?["reason"] == "invalid-policy", "\(reply.text)")
      #expect(try await home.admin("GET", path).status == 404)
    }
  }
}
