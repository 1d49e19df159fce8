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

  @Test func `C9: a cut value says how much is left out`() throws {
    let list = "(function() local t = {} for i = 1, 250000 do t[i] = i end return t end)()"
    let names = "(function() local t = {} for i = 1, 1040 do t['k' .. i] = i end return t end)()"
    #expect(try described(list).hasSuffix("… 249,960 more\n}"))
    #expect(try described(names).hasSuffix("… 1,000 more\n}"))
    #expect(try described("{ \(list), 1 }").contains("… 249,960 more"))
    #expect(try !described("{ 1, 2, 3 }").contains("more"))
  }

  @Test(arguments: [
    "'\\u{202E}\\u{200B}\\u{AD}\\u{2028}'", "'\\27[2J\\r\\0\\127\\u{9B}'", "'a\\\\n\"b\"'",
    "'\\xff\\0011'", "'é李👩‍👩‍👧'",
  ])
  func `C7: a described string has nothing that steers, and Lua reads the same one`(source: String)
    throws
  {
    let text = try described("{ \(source), { [\(source)] = \(source) } }")

    #expect(
      text.unicodeScalars.allSatisfy {
        ![.control, .format, .lineSeparator].contains($0.properties.generalCategory)
          || ["\u{200D}", "\n"].contains($0)
      }, "\(text.debugDescription)")
    let code = "local t = \(text) return t[1] == \(source) and t[2][\(source)] == \(source)"
    #expect(try evaluate(state, code) == [true])
  }

  @Test func `C15: without limits all of a value is described`() throws {
    let source =
      "(function() local t = {} for i = 1, 500 do t[i] = { ('x'):rep(1000), i } end return t end)()"
    let value = try state.call(state.load("return " + source, name: "test"), results: .references)
    let text = state.describe(value[0], limits: .whole)

    #expect(text.utf8.count > 500_000 && !text.contains("…") && text.contains("500"))
    let nested = try state.call(
      state.load("local t = 1 for i = 1, 100 do t = { t } end return t", name: "test"),
      results: .references)
    #expect(!state.describe(nested[0], limits: .whole).contains("…"))
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
