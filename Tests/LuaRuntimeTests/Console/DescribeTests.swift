import LuaRuntime
import Testing

@Suite struct DescribeTests {
  let state: LuaState
  init() throws { state = try console() }

  func described(_ source: String) throws -> String {
    let value = try state.call(state.load("return " + source, name: "test"), results: .references)
    return state.describe(value[0])
  }

  @Test(
    arguments: [
      ("nil", "nil"), ("1.0", "1.0"), ("2^53", "9.007199254741e+15"),
      ("'a\"b\\n'", "\"a\\\"b\\n\""),
      ("'\\xff\\0'", "\"\\xff\\x00\""), ("{}", "{}"), ("{1, {2}}", "{ 1, { 2 } }"),
      (
        "{b = 1, a = 'x', [1.5] = true, ['a b'] = 2}",
        "{ [\"a b\"] = 2, [1.5] = true, a = \"x\", b = 1 }"
      ),
      ("function() end", "function (test:1)"), ("print", "function"), ("json.null", "json.null"),
      ("accounts.get 'u1'", "account u1"), ("accounts", "accounts"), ("'grüße'", "\"grüße\""),
      ("coroutine.create(print)", "coroutine"),
    ])
  func `a value is described`(source: String, expected: String) throws {
    let text = try described(source)

    #expect(text.split(separator: ", ").sorted() == expected.split(separator: ", ").sorted())
  }

  @Test func `cycles and depth end`() throws {
    #expect(
      try described("(function() local t = {} t.t = t return t end)()") == "{ t = { cycle } }")
    #expect(try described("{{{{{{{1}}}}}}}") == "{ { { { { … } } } } }")
  }

  @Test func `big values are cut`() throws {
    let text = try described(
      "(function() local t = {} for i = 1, 1e5 do t[i] = ('x'):rep(1000) end return t end)()")

    #expect(text.utf8.count < 20_000)
    #expect(text.contains("…"))
  }

  @Test func `describing never runs metamethods`() throws {
    #expect(
      try described(
        "setmetatable({1}, {__tostring = error, __index = error, __len = error, __pairs = error})")
        == "{ 1 }")
  }

  @Test func `print shows values to the host`() throws {
    var lines: [String] = []
    let state = try console { lines.append($0) }

    try evaluate(state, "print('text', 1, {a = 1}, nil)")

    #expect(lines == ["text\t1\t{ a = 1 }\tnil"])
  }
}
