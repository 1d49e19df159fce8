import LuaRuntime
import Testing

/// `json.encode` and `LuaState.json` write the same text.
@Suite struct JSONWritingTests {
  let state: LuaState
  init() throws {
    state = try console()
    state.dataForJSON = { object in
      object.type == "account" ? LuaTable(fields: ["uid": "u1", "tags": ["a"]]) : nil
    }
  }

  private func value(_ source: String) throws -> LuaValue {
    try state.call(state.load("return " + source, name: "test"), results: .references)[0]
  }

  @Test(arguments: [
    "{1, 'a', true, json.null, {x = 1.5}}", "{ b = 1, a = { c = { 2 } }, ['a b'] = 3 }",
    "9007199254740993",
    "-0.0", "2.0", "1e300", "'\\u{202E}\\1\"'", "json.array()", "json.decode '[]'",
    "accounts.get 'u1'",
    "{ x = { accounts.get 'u1' } }",
  ])
  func `C9: both write the same`(source: String) throws {
    let written = String(decoding: try state.json(try value(source)), as: UTF8.self)

    #expect(try evaluate(state, "return json.encode(\(source))") == [.string(written)])
  }

  @Test(arguments: [
    ("print", "is a function"), ("{ { x = print } }", "[1].x is a function"), ("0/0", "is nan"),
    ("{ 1/0 }", "[1] is inf"),
    ("{ [2023] = 1 }", "has the key 2023"), ("{ 1, nil, 3 }", "is a list without element 2"),
    ("{ 1, x = 2 }", "has both elements and names"),
    ("{ [true] = 1 }", "has a key that is a boolean"),
    ("{ [{}] = 1 }", "has a key that is a table"), ("'\\xff'", "has a byte that is no UTF-8"),
    ("coroutine.create(print)", "is a coroutine"), ("accounts", "is the object 'accounts'"),
    ("(function() local t = {} t.a = { t } return t end)()", ".a[1] contains itself"),
    (
      "(function() local t = {} local r = t for i = 1, 70 do r.x = {} r = r.x end return t end)()",
      "64 levels"
    ),
  ])
  func `C9: both refuse the same, and name the place`(source: String, words: String) throws {
    let given = try value(source)
    let error = #expect(throws: LuaError.self) { try state.json(given) }
    #expect(error?.code == .conversion)
    #expect(
      error?.message.hasPrefix("result") == true && error?.message.contains(words) == true,
      "\(error?.message ?? "")")

    let caught = try evaluate(state, "return pcall(json.encode, (\(source)))")
    #expect(caught[0] == false)
    #expect(
      caught[1].stringValue == "json: value" + (error?.message.dropFirst("result".count) ?? ""))
  }

  @Test
  func `C9: a caller's name begins the path, and the caller chooses the form of empty tables`()
    throws
  {
    let error = #expect(throws: LuaError.self) {
      try state.json(.table(LuaTable(array: [.number(.nan)])), named: "result 2")
    }
    #expect(error?.message.hasPrefix("result 2[1] is nan") == true)
    #expect(try state.json([:]) == Array("{}".utf8))
    #expect(try state.json(["x": [:]], emptyTables: .lists) == Array(#"{"x":[]}"#.utf8))
  }

  @Test func `C9: a text beyond the memory of the state is written`() throws {
    let state = try LuaState(
      profile: .console, configuration: .init(limits: LuaLimits(memory: 8 << 20)))
    let source =
      "(function() local s, t = ('x'):rep(100000), {} for i = 1, 500 do t[i] = s end return t end)()"
    let value = try state.call(state.load("return " + source, name: "test"), results: .references)

    #expect(try state.json(value[0]).count == 500 * 100_003 + 1)
  }

  @Test func `C22: json.null has a text, and so has an error with one of its own`() throws {
    #expect(try evaluate(state, "return tostring(json.null)") == ["json.null"])
    #expect(try evaluate(state, "return string.format('%s', json.null)") == ["json.null"])
    func message(_ source: String) throws -> String? {
      let function = try state.load(source, name: "test")
      return #expect(throws: LuaError.self) { try state.call(function) }?.message
    }
    #expect(
      try message("error(setmetatable({}, { __tostring = function() return 'my own' end }))")
        == "my own")
    #expect(
      try message("error(setmetatable({ 1 }, { __tostring = function() error('x') end }))")
        == "{ 1 }")
    #expect(
      try message("error(setmetatable({ 1 }, { __tostring = function() return 5 end }))") == "5"
    )
    #expect(try message("error { 1 }") == "{ 1 }")
    #expect(try message("error(json.null)") == "json.null")
  }

  @Test func `C22: the text of an error is paid for by the call that failed`() throws {
    let state = try LuaState(
      profile: .plugin, configuration: .init(limits: LuaLimits(instructions: 10_000)))
    let function = try state.load(
      "error(setmetatable({}, { __tostring = function() while true do end end }))", name: "test")

    #expect(throws: LuaError.self) { try state.call(function) }
    #expect(try evaluate(state, "return 1 + 1") == [2])
  }

  @Test func `C22: a coroutine's error has its own text too`() async throws {
    let function = try state.load(
      "error(setmetatable({}, { __tostring = function() return 'mine' end }))", name: "test")

    let error = await #expect(throws: LuaError.self) { try await state.run(function) }
    #expect(error?.message == "mine")
  }
}
