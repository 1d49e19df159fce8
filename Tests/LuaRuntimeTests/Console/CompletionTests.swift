import LuaRuntime
import Testing

@Suite struct CompletionTests {
  let state: LuaState
  init() throws {
    state = try console()
    let chunk = try state.load(
      "ada = accounts.get 'ada' config = { path = { deep = 1 }, ['with space'] = 2, run = next }",
      name: "test")
    try state.call(chunk)
  }

  @Test(
    arguments: [
      ("acc", ["accounts"]),
      ("accounts.", ["accounts.count", "accounts.get"]),
      ("print(accounts.g", ["accounts.get"]),
      ("ada.", ["ada.email", "ada.uid"]),
      ("ada.e", ["ada.email"]),
      ("ada:", ["ada:history", "ada:rename"]),
      ("ada:re", ["ada:rename"]),
      ("providers[\"goo", ["providers[\"google.com\"]"]),
      ("providers['", ["providers['github.com']", "providers['google.com']"]),
      ("x = config.path.d", ["config.path.deep"]),
      ("config[\"path\"].d", ["config[\"path\"].deep"]),
      ("config:", ["config:run"]),
      ("nothing.x", []), ("a..b", []), (".", []), ("1 + ", []),
    ])
  func `a path completes`(line: String, expected: [String]) {
    #expect(state.completions(for: line) == expected)
  }

  @Test func `C7: a key that is completed is Lua, and steers no terminal`() throws {
    try state.call(
      state.load("keyed = { ['x\\27[2J\\u{202E}\\n\"q\\'\\\\'] = 1 }", name: "test"))

    #expect(
      state.completions(for: "keyed[\"x") == [#"keyed["x\u{1b}[2J\u{202e}\n\"q'\\"]"#])
    let single = state.completions(for: "keyed['")
    #expect(single == [#"keyed['x\u{1b}[2J\u{202e}\n\"q\'\\']"#])
    let value = try state.call(state.load("return " + single.joined(), name: "test"))
    #expect(value == [1])
  }

  @Test func `completion never runs code of scripts`() throws {
    try state.call(
      state.load(
        "trap = setmetatable({}, { __index = function() error 'ran' end, __pairs = error })",
        name: "test"))

    #expect(state.completions(for: "trap.x.y") == [])
    #expect(state.completions(for: "trap.") == [])
  }
}
