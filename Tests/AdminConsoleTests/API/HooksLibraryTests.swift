import AuthCore
import Foundation
import LuaRuntime
import Testing

@testable import AdminConsole

@Suite struct `Hooks in the console` {
  private let home: ConsoleHome

  init() throws { home = try ConsoleHome() }

  private static let house = """
    return hooks {
      before_link = function(event)
        if event.identity.providerID == "facebook.com" then return refuse "no Facebook" end
        if event.identity.providerID == "github.com" then return require "approval" end
      end,
      before_unlink = function(event)
        if event.reason ~= "ticket 7" then return refuse "name ticket 7" end
      end,
      before_merge = function(event) return refuse "no merges" end,
      examples = {
        { name = "Facebook", event = "before_link", identity = { providerID = "facebook.com" },
          expect = { refuse = "Facebook" } },
        { name = "GitHub", event = "before_link", identity = { providerID = "github.com" },
          expect = { require = EXPECTED } },
      },
    }
    """

  private func file(expecting requirement: String) throws -> String {
    let path = "\(home.folder)/house.lua"
    try Self.house.replacing("EXPECTED", with: "\"\(requirement)\"")
      .write(toFile: path, atomically: true, encoding: .utf8)
    return path
  }

  @Test func `examples are run, and a file whose examples fail is not used unless forced`() throws {
    let path = try file(expecting: "recent login")
    try home.run(
      """
      local results = hooks.test "\(path)"
      assert(#results == 2 and results[1].passed and not results[2].passed)
      assert(results[1].answer:find("refuses: no Facebook", 1, true), results[1].answer)
      assert(results[2].failure:find("an admin's approval", 1, true), results[2].failure)
      local ok, problem = pcall(function() hooks.use "\(path)" end)
      assert(not ok and problem.code == "invalid-policy", problem.code)
      assert(problem.message:find("GitHub", 1, true), problem.message)
      assert(hooks.current() == nil)
      hooks.use("\(path)", { force = true })
      assert(hooks.current().file == "\(path)")
      """)
  }

  @Test func `examples of sign-ins are run, too`() throws {
    let path = "\(home.folder)/doors.lua"
    try """
    return hooks {
      before_create = function(event)
        if event.account.email == nil then return refuse "an address is needed" end
      end,
      examples = {
        { event = "before_create", expect = { refuse = "address" } },
        { name = "with an address", event = "before_create",
          account = { email = "ada@example.com" }, expect = { disabled = true } },
      },
    }
    """.write(toFile: path, atomically: true, encoding: .utf8)
    try home.run(
      """
      local results = hooks.test "\(path)"
      assert(results[1].passed and results[1].answer == "refuses: an address is needed")
      assert(not results[2].passed and results[2].answer == "allows", results[2].answer)
      assert(results[2].failure == "changed nothing, not disabled to true", results[2].failure)
      local ok, problem = pcall(function() hooks.use "\(path)" end)
      assert(not ok and problem.message:find("with an address", 1, true), problem.message)
      """)
  }

  @Test func `an admin is asked, meets an approval, and finds the answer in why`() throws {
    let path = try file(expecting: "approval")
    try home.run(
      """
      hooks.use "\(path)"
      local ada = accounts.create { email = "ada@example.com", password = "opensesame" }
      local bo = accounts.create { email = "bo@example.com", password = "opensesame" }
      local function refused(act, words)
        local ok, problem = pcall(act)
        assert(not ok and problem.code == "blocking-function-error", problem and problem.code)
        assert(problem.message:find(words, 1, true), problem.message)
        assert(problem.remedy:find("hooks.use", 1, true), problem.remedy)
      end
      refused(function() ada:link { providerID = "facebook.com", subject = "1" } end, "no Facebook")
      refused(function()
        ada:link({ providerID = "facebook.com", subject = "1", dryRun = true })
      end, "no Facebook")
      local receipt = ada:link { providerID = "github.com", subject = "1" }
      local steps = json.encode(why(receipt))
      assert(steps:find("before_link", 1, true) and steps:find("house.lua", 1, true), steps)
      refused(function() ada:unlink "github.com" end, "name ticket 7")
      ada:unlink("github.com", { reason = "ticket 7" })
      local plan = merge.plan(ada, bo)
      refused(function() plan:commit { reason = "same person" } end, "no merges")
      assert(accounts.count() == 2)
      """)
  }
}
