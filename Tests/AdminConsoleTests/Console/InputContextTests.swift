import Testing

@testable import AdminConsole

@Suite struct InputContextTests {
  @Test(arguments: [
    ("policy.use \"Scr", "policy.use", 1, "Scr"), ("policy.use('Scr", "policy.use", 1, "Scr"),
    ("x:unlink(\"g", "x:unlink", 1, "g"), ("show(x):csv \"f", "show():csv", 1, "f"),
    ("show(accounts.find { email = 'a' }):json(\"", "show():json", 1, ""),
    ("settings.trust(\"github.com\", \"al", "settings.trust", 2, "al"),
    ("y = policy.test \"a.lua\" x:unlink \"g", "x:unlink", 1, "g"),
    ("print(#policy.test 'a', hooks.use \"h", "hooks.use", 1, "h"),
    ("f(g(1, 2), { 1, 2 }, \"t", "f", 3, "t"),
  ])
  func `a string belongs to the function that is called`(
    text: String, callee: String, argument: Int, word: String
  ) throws {
    let context = try #require(InputContext(Array(text.utf8)))
    #expect(context.kind == .string)
    #expect(context.callee == callee)
    #expect(context.argument == argument)
    #expect(context.path.isEmpty)
    #expect(String(decoding: Array(text.utf8)[context.start...], as: UTF8.self) == word)
  }

  @Test(arguments: [
    ("merge.plan(a, b, { dr", "merge.plan", 3, [], "dr", []),
    ("accounts.find { ", "accounts.find", 1, [], "", []),
    ("accounts.find { email = 'x', dis", "accounts.find", 1, [], "dis", ["email"]),
    ("merge.plan(a, b, { fields = { dis", "merge.plan", 3, ["fields"], "dis", []),
    ("merge.plan(a, b, { fields = { }, ", "merge.plan", 3, [], "", ["fields"]),
    ("ada:update { displayName = 'A, {', re", "ada:update", 1, [], "re", ["displayName"]),
  ])
  func `a name belongs to the table that is an argument`(
    text: String, callee: String, argument: Int, path: [String], word: String, given: [String]
  ) throws {
    let context = try #require(InputContext(Array(text.utf8)))
    #expect(context.kind == .name)
    #expect(context.callee == callee)
    #expect(context.argument == argument)
    #expect(context.path == path)
    #expect(context.given == given)
    #expect(String(decoding: Array(text.utf8)[context.start...], as: UTF8.self) == word)
  }

  @Test func `a string inside a table has the name of its entry`() throws {
    let text = "duplicates.find { by = \"ver"
    let context = try #require(InputContext(Array(text.utf8)))
    #expect(context.kind == .string && context.callee == "duplicates.find")
    #expect(context.path == ["by"])
  }

  @Test(arguments: [
    "accounts.", "x = 5", "accounts.find { email = accounts.", "-- policy.use \"S",
    "f(\"done\")", "f { a = 1 } + acc", "", "accounts.find { email = 'a' } ",
  ])
  func `elsewhere there is no such place`(text: String) {
    #expect(InputContext(Array(text.utf8)) == nil, "\(text)")
  }

  @Test func `brackets of an index are a place of their own`() {
    #expect(InputContext(Array("providers[\"goo".utf8))?.kind == .index)
  }
}
