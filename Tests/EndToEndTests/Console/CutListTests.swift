import Foundation
import Testing
import TestSupport

@Suite struct `C14: a list that is cut says so` {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test func `C14: merges and histories are whole unless a limit is given`() throws {
    let output = try folder.lua(
      """
      for number = 1, 130 do
        accounts.create { uid = "a" .. number }
        accounts.create { uid = "b" .. number }
        merge.plan("a" .. number, "b" .. number):commit { reason = "batch" }
      end
      local a = accounts.get "a1"
      for number = 1, 700 do a:update { displayName = "n" .. number } end
      print(#merge.list(), #merge.list { limit = 7 }, #merge.list { account = "a1" })
      print(#a:history(), #a:history(5), a:history()[1].id == a:history(1)[1].id)
      local undone = 0
      for _, entry in ipairs(merge.list()) do
        if entry.reason == "batch" then merge.undo(entry.id, { force = true }) undone = undone + 1 end
      end
      print(undone, #merge.list { limit = 100000 })
      local left = 0
      for _, entry in ipairs(merge.list()) do if not entry.undoneBy then left = left + 1 end end
      print(left)
      """)
    #expect(output == "130\t7\t1\n703\t5\ttrue\n130\t130\n0")
  }

  @Test func `C14: a cut list is reported to people and to programs`() throws {
    let code = """
      for number = 1, 1001 do accounts.create { uid = "u" .. number } end
      local found, cut = accounts.find()
      print(#found, cut.truncated, cut.limit)
      local all, none = accounts.find { limit = 1001 }
      print(#all, none)
      local tail, more = audit.tail()
      print(#tail, more.truncated, more.limit)
      print(select("#", audit.tail(5)), select("#", accounts.find { disabled = true }))
      accounts.get("u1"):delete { reason = "test" }
      print(select("#", accounts.find()))
      """
    let outcome = try folder.run(code)
    #expect(
      outcome.output == "1000\ttrue\t1000\n1001\tnil\n10\ttrue\t10\n1\t1\n1\n", "\(outcome.errors)")
    #expect(
      outcome.errors.contains("These are the first 1000; give a limit, or use accounts.each."))
    #expect(outcome.errors.contains("These are the newest 10 events; audit.tail(n) gives n."))
    let json = try Program.run(["console", "--json", "-e", "audit.tail()"], in: folder)
    #expect(json.output.hasSuffix("]\n{\"limit\":10,\"truncated\":true}\n"), "\(json.output)")
  }

  @Test func `C14: a plan of a rekey says whether it lists all`() throws {
    let output = try folder.lua(
      """
      for number = 1, 21 do
        accounts.create { uid = "u" .. number }:link {
          providerID = "fake.example", subject = "s" .. number }
      end
      local plan = providers["fake.example"].rekey { map = {} }
      print(plan.counts.unmapped, #plan.unmapped, plan.truncated)
      local rest = providers["fake.example"].rekey { map = { s1 = "t1" } }
      print(rest.counts.unmapped, #rest.unmapped, rest.truncated)
      """)
    #expect(output == "21\t20\ttrue\n20\t20\tfalse")
  }

  static let calls = [
    "accounts.search('a', { limit = LIMIT })", "audit.find { limit = LIMIT }",
    "accounts.find { limit = LIMIT }", "accounts.each { limit = LIMIT }",
    "merge.list { limit = LIMIT }", "merge.offers { limit = LIMIT }",
    "duplicates.find { limit = LIMIT }", "accounts.get('a'):history(LIMIT)", "audit.tail(LIMIT)",
  ]

  @Test(arguments: calls) func `C14: every limit is checked in the same words`(call: String) throws
  {
    try folder.lua("accounts.create { uid = 'a' }")
    for limit in ["0", "-5", "2.5", "2^63", "-2^63", "'x'", "{}", "true", "1/0", "0/0"] {
      let output = try folder.lua(
        """
        local ok, err = pcall(function() return \(call.replacing("LIMIT", with: limit)) end)
        print(ok, err.code, err.field, err.remedy)
        """)
      let field = call.hasPrefix("audit.tail") ? "n" : "limit"
      #expect(
        output.hasPrefix("false\tinvalid-argument\t\(field)\t"), "\(call) with \(limit): \(output)")
    }
    #expect(
      try folder.lua("print(pcall(function() return \(call.replacing("LIMIT", with: "1.0")) end))")
        .hasPrefix("true"))
  }
}
