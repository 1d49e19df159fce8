import LuaRuntime
import Testing

/// A person with two known names, one of them without a value.
private struct Known: LuaRecord {
  static let luaFields = LuaFieldNames(["name", "age"], of: "a person")
  let luaBytes = 100

  func write(_ place: Int, to table: LuaTableWriter) {
    if place == 0 { table.set("name", "Ada") }
  }
}

@Suite struct `A table that knows its names` {
  private static let names = LuaFieldNames(["p", "list"], of: "a test")

  private func evaluate(
    _ text: String, profile: LuaProfile = .policy, limits: LuaLimits? = nil
  ) throws -> [LuaValue] {
    let state = try LuaState(profile: profile)
    let chunk = try state.load(
      "local t = ... local p = t.p " + text, name: "test", environment: state.makeEnvironment())
    return try state.call(chunk, fields: 2, knowing: Self.names, limits: limits) { table in
      table.set("p", record: Known())
      table.set("list", count: 1, fields: 1, knowing: Known.luaFields) { table, _ in
        table.set("name", "Bo")
      }
    }
  }

  @Test func `gives what it has, and nil for what it has no value of`() throws {
    #expect(
      try evaluate("return p.name, p.age, t.list[1].name, t.list[1].age, t.list[2]")
        == ["Ada", .nil, "Bo", .nil, .nil])
  }

  @Test(arguments: [
    ("p.nam", "a person has no \"nam\". Did you mean \"name\"?"),
    ("p.address", "a person has no \"address\". It has: name, age."),
    ("t.list[1].nam", "a person has no \"nam\"."), ("t.lst", "a test has no \"lst\"."),
    ("p[1]", "a person is read by its names, as text"), ("t[p]", "a test is read by its names"),
    ("p[('n'):rep(65)]", "a person is read by its names"),
  ])
  func `refuses any other name, with the line`(read: String, problem: String) throws {
    let error = try #require(throws: LuaError.self) { try evaluate("\nlocal _ = \(read)") }
    #expect(error.message.contains(problem), "\(error)")
    #expect(error.line == 2 && error.script == "test", "\(error)")
  }

  @Test func `is walked, written and copied like another`() throws {
    #expect(
      try evaluate(
        "local n = 0 for _ in pairs(p) do n = n + 1 end p.mine = 1 return n, p.mine, next({}), p")
        == [1, 1, .nil, ["name": "Ada", "mine": 1]])
    #expect(try evaluate("p.name = nil return p.name, p.age") == [.nil, .nil])
    #expect(try evaluate("return json.encode(t.list)") == [#"[{"name":"Bo"}]"#])
    for touch in ["next(p)", "p.mine = 1", "for _ in pairs(p) do end"] {
      #expect(try evaluate("\(touch) return pcall(function() return p.nam end)").first == false)
    }
  }

  @Test func `is like any table in other profiles`() throws {
    #expect(try evaluate("return p.nam, t.lst", profile: .plugin) == [.nil, .nil])
  }

  @Test func `costs a script that goes on asking its budget`() throws {
    let error = try #require(throws: LuaError.self) {
      try evaluate(
        "while true do pcall(function() return p.nam end) end",
        limits: LuaLimits(instructions: 100_000))
    }
    #expect(error.code == .instructions)
  }
}
