import Foundation
import Testing
import TestSupport

/// The scripts of this repository do what they say.
@Suite struct `Scripts that ship` {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  @Test(arguments: ["keep-oldest", "keep-current", "verified-wins"])
  func `a policy passes its own examples`(name: String) throws {
    let output = try folder.lua(
      """
      local results = policy.test "Scripts/policies/\(name).lua"
      assert(#results >= 3)
      for _, result in ipairs(results) do assert(result.passed, result.failure) end
      policy.use "Scripts/policies/\(name).lua"
      print(policy.current().name)
      """)
    #expect(output == name)
  }

  @Test func `the policy that the guide shows passes its examples`() throws {
    let guide = try String(
      contentsOfFile: "\(Program.root)/Scripts/policies/README.md", encoding: .utf8)
    let block = guide.components(separatedBy: "```lua\n")[1].components(separatedBy: "```")[0]
    let file = try folder.write("guide.lua", block)
    #expect(
      try folder.lua("local r = policy.test '\(file)' return #r, r[1].passed, r[2].passed")
        == "2\ntrue\ntrue")
  }

  @Test func `a script of hooks is enabled, shown and removed`() throws {
    let file = try folder.write(
      "hooks.lua", "return hooks { before_sign_in = function(event) end }")
    let broken = try folder.write("broken.lua", "return hooks { before_lunch = 1 }")
    let output = try folder.lua(
      """
      print(hooks.current())
      hooks.use '\(file)'
      print(hooks.current().file == '\(file)', hooks.current().text:sub(1, 12))
      local ok, err = pcall(function() hooks.use '\(broken)' end)
      print(ok, err.code, hooks.current().file == '\(file)')
      hooks.remove()
      print(hooks.current())
      """)
    #expect(output == "nil\ntrue\treturn hooks\nfalse\tinvalid-policy\ttrue\nnil")
  }

  /// Makes two pairs of accounts with one address each, and a single account.
  private func fill() throws {
    let users = [
      ("a1", "a", true), ("a2", "a", false), ("b1", "b", false), ("b2", "b", false),
      ("c", "c", true),
    ]
    .map { uid, name, verified in
      #"{"localId":"\#(uid)","email":"\#(name)@example.com","emailVerified":\#(verified),"#
        + #""createdAt":"150000000000\#(uid.count)","#
        + #""providerUserInfo":[{"providerId":"twitter.com","rawId":"t-\#(uid)"}]}"#
    }
    let file = try folder.write("users.json", "{\"users\": [\(users.joined(separator: ","))]}")
    #expect(try Program.run(["import", file], in: folder).status == 0)
  }

  private func run(_ script: String, _ arguments: String...) throws -> String {
    let outcome = try Program.run(["run", "Scripts/admin/\(script).lua"] + arguments, in: folder)
    #expect(outcome.status == 0, "\(outcome.errors)")
    return outcome.output
  }

  @Test func `find-duplicates lists them, and answers in JSON`() throws {
    try fill()
    let output = try run("find-duplicates")
    #expect(output.contains("a@example.com\n") && output.hasSuffix("2 found by email\n"))
    let json = try Program.run(["run", "--json", "Scripts/admin/find-duplicates.lua"], in: folder)
    #expect(json.output.hasPrefix("[{\"accounts\":["))
    #expect(json.output.split(separator: "\n").count == 1)
  }

  @Test func `merge-duplicates rehearses by default, and commits on request`() throws {
    try fill()
    #expect(try run("merge-duplicates").contains("1 merged, 0 refused, 1 left alone; nothing"))
    #expect(try folder.lua("accounts.count()") == "5")
    let output = try run("merge-duplicates", "--include-unverified", "--commit", "cleaning up")
    #expect(output.hasSuffix("2 merged, 0 refused, 0 left alone\n"))
    #expect(output.contains("a@example.com: a2 absorbed by a1"))
    #expect(try folder.lua("accounts.count(), accounts.get('a2').uid") == "3\na1")
    #expect(try folder.lua("merge.list()[1].reason") == "cleaning up")
    #expect(
      try Program.run(["run", "Scripts/admin/merge-duplicates.lua", "-x"], in: folder).status == 1)
  }

  @Test func `unlink-provider leaves accounts alone that could not sign in any more`() throws {
    try fill()
    try folder.lua("accounts.get('c'):link { providerID = 'github.com', subject = '1' }")
    #expect(
      try run("unlink-provider", "twitter.com").contains(
        "1 unlinked from twitter.com, 4 left alone; nothing"))
    #expect(
      try run("unlink-provider", "twitter.com", "--commit").hasSuffix(
        "1 unlinked from twitter.com, 4 left alone\n"))
    #expect(try folder.lua("#accounts.get('c').providerData") == "1")
  }

  @Test func `report counts the ways people sign in`() throws {
    try fill()
    #expect(
      try run("report").hasPrefix("5 accounts: 2 with a verified e-mail, 0 with a second factor"))
    let json = try Program.run(["run", "--json", "Scripts/admin/report.lua"], in: folder)
    #expect(json.output.contains("\"providers\":{\"twitter.com\":5}"))
  }
}
