import AuthCore
import AuthTesting
import LuaRuntime
import Testing
import TestSupport

@testable import AdminConsole

@Suite struct `An explanation of a refusal` {
  let home: ConsoleHome

  init() throws {
    home = try ConsoleHome()
  }

  /// Returns the last step that `why` shows for the error of some code, and its whole text.
  private func why(_ code: String) throws -> (rule: String, result: String, text: String) {
    let values = try home.run(
      """
      local ok, err = pcall(function() \(code) end)
      assert(not ok, "it was not refused")
      local steps = why(err).steps
      return steps[#steps].rule, steps[#steps].result, tostring(why(err))
      """)
    return (
      try #require(values.first?.stringValue), try #require(values.dropFirst().first?.stringValue),
      try #require(values.last?.stringValue)
    )
  }

  private static let plugin = """
    return provider {
      id = "badge.example", name = "Badge", documentation = "https://badge.example",
      credentials = { badge = { number = field.text "the number", mode = field.text "its end" } },
      verify = function(credential)
        if credential.mode == "fault" then error("of the number " .. credential.number) end
        refuse { "The badge " .. credential.number .. " is not ours.", step = "token" }
      end,
    }
    """

  @Test func `names the check that failed, and holds no secret`() throws {
    try home.run("accounts.create { email = 'ada@example.com', password = 'right-horse' }")
    try home.run("providers.configure('google.com', { clientIDs = { 'web.example' } })")
    try home.run("plugins.load '\(home.file("badge.lua", Self.plugin))'")
    let password =
      "auth.signIn(providers.password.credential { email = '%', password = 'wr0ng-77' })"
    for (code, result, secret) in [
      (
        password.replacing("%", with: "ada@example.com"),
        "refused: The password is not the account's.", "wr0ng-77"
      ),
      (
        password.replacing("%", with: "bo@example.com"),
        "refused: No account has a password for this address.", "wr0ng-77"
      ),
      (
        "auth.signIn(providers['google.com'].credential { idToken = 'head.s3cret' })",
        "refused: The ID token is not of three parts.", "s3cret"
      ),
      (
        "auth.signIn(providers['badge.example'].credential { number = 'b4dge-7', mode = 'quote' })",
        "refused: The badge … is not ours.", "b4dge-7"
      ),
      (
        "auth.signIn(providers['badge.example'].credential { number = 'b4dge-7', mode = 'fault' })",
        "failed: The plug-in of badge.example failed.", "b4dge-7"
      ),
    ] {
      let told = try why(code)
      #expect(told.rule == "credential", "\(code)")
      #expect(told.result == result, "\(code)")
      #expect(told.text.contains("sign-in, refused with "), "\(told.text)")
      #expect(!told.text.contains("No rule was evaluated"))
      #expect(!told.text.contains(secret), "\(told.text)")
    }
  }

  @Test func `names the check that refused after the caller's right`() throws {
    try home.run("accounts.create { uid = 'ada', email = 'ada@example.com' }")
    let taken = try why("accounts.create { uid = 'ada' }")
    #expect(taken.rule == "decision")
    #expect(taken.result == "refused: The uid is in use, or takes part in a merge.")
    #expect(taken.text.contains("an admin may"), "\(taken.text)")
    let last = try why("accounts.get('ada'):unlink 'github.com'")
    #expect(last.rule == "linked" && last.result == "no")
  }

  @Test func `shows the request that it came of`() async throws {
    let admin = Caller(scope: home.scope, authority: .admin("ada"), reason: "test")
    _ = try await home.graph.changeSettings(by: admin) {
      $0.signIn.closedProviders = [ProviderID("fake.example")]
    }
    let caller = Caller(
      scope: home.scope, authority: .anyone, client: ClientDescription(requestID: "r-77"))
    let credential = try home.graph.providers.credential(
      ProviderID("fake.example"), ["subject": "1"])
    let error = await expectError(.operationNotAllowed) { [graph = home.graph] in
      try await graph.signIn(credential, by: caller)
    }
    let id = try #require(error?.eventID)
    let values = try home.run(
      """
      local told = why("\(id)")
      return told.request, audit.tail(1)[1].request, told.steps[1].result, tostring(told)
      """)
    #expect(values.prefix(2).allSatisfy { $0.stringValue == "r-77" }, "\(values)")
    #expect(values.dropFirst(2).first == "refused: Signing in with fake.example is closed.")
    #expect(values.last?.stringValue?.contains("by anyone in request r-77") == true, "\(values)")
  }

  @Test func `keeps the details of a change beside the right to make it`() throws {
    try home.run("settings.trust('github.com', 'always', { reason = 'ticket 9' })")
    let values = try home.run("return tostring(why(audit.tail(1)[1]))")
    let text = try #require(values.first?.stringValue)
    #expect(text.contains("an admin may"), "\(text)")
    #expect(text.contains("trust github.com"), "\(text)")
    #expect(!text.contains("No rule was evaluated"))
  }
}
