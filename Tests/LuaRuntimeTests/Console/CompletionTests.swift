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

  @Test func `completion never runs code of scripts`() throws {
    try state.call(
      state.load(
        "trap = setmetatable({}, { __index = function() error 'ran' end, __pairs = error })",
        name: "test"))

    #expect(state.completions(for: "trap.x.y") == [])
    #expect(state.completions(for: "trap.") == [])
  }
}
