import AuthCore
import LuaPlugins
import Testing

@Suite struct `Examples of hooks on sign-ins` {
  private static let house = """
    return hooks {
      before_create = function(event)
        local account = event.account
        if account.email == nil then return refuse("an address is needed", { code = "no-address" }) end
        if event.claims.hd == "corp.example" then
          log.info("staff")
          return { displayName = "Staff", customClaims = { staff = true } }
        end
        if event.client.address == "203.0.113.7" then return refuse "not from here" end
        if account.email == "eve@example.com" then return allow() end
        return {}
      end,
      before_sign_in = function(event)
        if event.secondFactor == nil and (event.account.customClaims or {}).staff then
          return refuse "staff needs a second factor"
        end
        if event.signInMethod == "corp" then return event.acount end
        return { sessionClaims = { method = event.signInMethod, at = time.now() } }
      end,
      examples = { EXAMPLES },
    }
    """

  private func result(_ example: String) throws -> PolicyExampleResult {
    let text = Self.house.replacing("EXAMPLES", with: "{ \(example) }")
    return try #require(
      try LuaChangeHook.runExamples(of: PolicySource(name: "house.lua", text: text)).first)
  }

  private static let address = #"account = { email = "ada@example.com" }"#
  private static let staff = #"account = { customClaims = { staff = true } }"#

  @Test(arguments: [
    (#"event = "before_create", expect = { refuse = "address" }"#, "refuses: an address is needed"),
    (#"event = "before_create", expect = { refuse = true }"#, "(no-address)"),
    (#"event = "before_create", \#(address), expect = "allow""#, "allows"),
    (
      #"event = "before_create", account = { email = "eve@example.com" }, expect = "allow""#,
      "allows"
    ),
    (
      #"event = "before_create", \#(address), client = { address = "203.0.113.7" }, expect = { refuse = "from here" }"#,
      "refuses: not from here"
    ),
    (
      #"event = "before_create", \#(address), claims = { hd = "corp.example" }, expect = { displayName = "Staff", customClaims = { staff = true } }"#,
      #"changes displayName to "Staff", customClaims to {"staff":true}"#
    ),
    (
      #"event = "before_sign_in", now = 7, expect = { sessionClaims = { method = "oidc.example", at = 7 } }"#,
      "changes sessionClaims to "
    ),
    (
      #"event = "before_sign_in", now = 7, signInMethod = "phone", expect = { sessionClaims = { method = "phone", at = 7 } }"#,
      "changes sessionClaims to "
    ),
    (#"event = "before_sign_in", \#(staff), expect = { refuse = "second factor" }"#, "refuses: "),
    (
      #"event = "before_sign_in", \#(staff), secondFactor = "totp", now = 7, expect = { sessionClaims = { method = "oidc.example", at = 7 } }"#,
      "changes sessionClaims to "
    ),
  ])
  func `pass if the reply is the expected one`(example: String, answer: String) throws {
    let result = try result(example)
    #expect(result.passed, "\(result.failure ?? "")")
    #expect(result.answer?.contains(answer) == true, "\(result.answer ?? "none")")
  }

  @Test(arguments: [
    (#"event = "before_create", expect = "allow""#, "refused: an address is needed"),
    (#"event = "before_create", expect = { refuse = "age" }"#, "not \"age\""),
    (#"event = "before_create", \#(address), expect = { refuse = true }"#, "allowed instead of"),
    (
      #"event = "before_create", \#(address), expect = { displayName = "Ada" }"#,
      #"changed nothing, not displayName to "Ada""#
    ),
    (
      #"event = "before_create", \#(address), claims = { hd = "corp.example" }, expect = "allow""#,
      "changed displayName to"
    ),
    (#"event = "before_sign_in", expect = "ask""#, "there is no answer \"ask\""),
    (#"event = "before_sign_in""#, "the example expects nothing"),
    (#"event = "before_sign_in", expect = {}"#, "the example expects nothing"),
    (#"event = "before_sign_in", expect = { sesionClaims = {} }"#, "\"sessionClaims\""),
    (#"event = "before_create", expect = { sessionClaims = {} }"#, "cannot change"),
    (#"event = "before_sign_in", expect = { refuse = "a", disabled = true }"#, "more than one"),
    (#"event = "before_sign_in", other = {}, expect = "allow""#, "an example has no \"other\""),
    (#"event = "before_sign_in", secondFactor = "sms", expect = "allow""#, "secondFactor is"),
    (#"event = "before_sign_in", claims = 7, expect = "allow""#, "claims is number"),
    (#"event = "before_sign_in", client = { ip = "a" }, expect = "allow""#, "client has no \"ip\""),
    (#"event = "before_sign_in", signInMethod = "corp", expect = "allow""#, "house.lua:"),
    (#"event = "before_signin", expect = "allow""#, "Did you mean \"before_sign_in\"?"),
  ])
  func `fail with the difference, or with their own mistake`(
    example: String, problem: String
  ) throws {
    let result = try result(example)
    #expect(result.failure?.contains(problem) == true, "\(result.failure ?? "it passed")")
  }

  @Test func `have the lines that the function logs`() throws {
    let result = try result(
      #"event = "before_create", \#(Self.address), claims = { hd = "corp.example" }, expect = "allow""#
    )
    #expect(result.log.count == 1 && result.log[0].contains("staff"))
  }

  @Test func `of a function that the file lacks fail`() throws {
    let results = try LuaChangeHook.runExamples(
      of: PolicySource(
        name: "hooks.lua",
        text: """
          return hooks {
            before_link = function(event) end,
            examples = { { event = "before_create", expect = "allow" } },
          }
          """))
    #expect(results.first?.failure == "the file has no before_create")
  }

  @Test func `do not see what an earlier example left`() throws {
    let results = try LuaChangeHook.runExamples(
      of: PolicySource(
        name: "hooks.lua",
        text: """
          local seen = 0
          return hooks {
            before_sign_in = function(event)
              seen = seen + 1
              return { sessionClaims = { seen = seen } }
            end,
            examples = {
              { event = "before_sign_in", expect = { sessionClaims = { seen = 1 } } },
              { event = "before_sign_in", expect = { sessionClaims = { seen = 1 } } },
            },
          }
          """))
    #expect(results.allSatisfy(\.passed) && results.count == 2)
  }
}
