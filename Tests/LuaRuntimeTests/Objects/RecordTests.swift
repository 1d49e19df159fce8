import LuaRuntime
import Testing

/// A person with four fields, of which "nothing" has no value; records the written fields.
private final class Person: LuaRecord {
  static let luaFields = LuaFieldNames(["name", "age", "nothing", "tags"])
  let luaBytes = 10_000
  var written: [Int] = []

  func write(_ place: Int, to table: LuaTableWriter) {
    written.append(place)
    switch place {
    case 0: table.set("name", "Ada")
    case 1: table.set("age", 36)
    case 3: table.set("tags", count: 2, fields: 1) { $0.set("tag", $1 == 0 ? "a" : "b") }
    default: break
    }
  }
}

/// A record that cannot be written.
private struct Broken: LuaRecord {
  static let luaFields = LuaFieldNames(["name"])
  let luaBytes = 100
  let value: LuaValue

  func write(_ place: Int, to table: LuaTableWriter) { table.set("name", value: value) }
}

@Suite struct `A record in Lua` {
  private let person = Person()
  private let state: LuaState

  init() throws { state = try LuaState(profile: .policy) }

  /// Returns the results of a text that has the person as `p`.
  private func evaluate(_ text: String, in other: LuaState? = nil) throws -> [LuaValue] {
    let state = other ?? state
    let chunk = try state.load(
      "local p = (...).p " + text, name: "test", environment: state.makeEnvironment())
    return try state.call(chunk, fields: 1) { $0.set("p", record: person) }
  }

  @Test func `reads only the fields that a script asks for, each once`() throws {
    let values = try evaluate("return p.name, p.name, p.nothing, p.nothing")
    #expect(values == ["Ada", "Ada", .nil, .nil])
    #expect(person.written == [0, 2])
  }

  @Test func `knows no other keys`() throws {
    #expect(
      try evaluate("return p.other, p[1], p[true], p[p], p['na' .. 'mes'], #p")
        == [.nil, .nil, .nil, .nil, .nil, 0])
    #expect(person.written.isEmpty)
  }

  static let walks = [
    "for k in pairs(p) do n[#n + 1] = k end",
    "local k = next(p) while k do n[#n + 1] = k k = next(p, k) end",
    "local f = pairs({}) local k = f(p) while k do n[#n + 1] = k k = f(p, k) end",
    "local x = p.name for k, v in pairs(p) do n[#n + 1] = k end",
  ]

  @Test(arguments: walks) func `shows all of it to a script that walks it`(_ walk: String) throws {
    let names = try evaluate("local n = {} \(walk) table.sort(n) return table.concat(n, ' ')")
    #expect(names == ["age name tags"])
    #expect(person.written.sorted() == [0, 1, 2, 3])
  }

  @Test func `is whole as JSON and as a copy`() throws {
    let whole: LuaValue = ["name": "Ada", "age": 36, "tags": [["tag": "a"], ["tag": "b"]]]
    let json = try evaluate("return json.decode(json.encode({ x = p })).x, p")
    #expect(json == [whole, whole])
    #expect(try evaluate("return { inner = p }") == [["inner": whole]])
  }

  @Test func `is a table like another`() throws {
    let seen = try evaluate("return type(p), tostring(p):match('^table: ') ~= nil, p == p")
    #expect(seen == ["table", true, true])
    #expect(try evaluate("return pcall(function() return p() end)").first == false)
    #expect(try evaluate("return pcall(next, p, 'other')").first == false)
    #expect(try evaluate("return pcall(json.array, p)").first == true)
  }

  @Test func `keeps what a script changes`() throws {
    let changed = "p.name = nil p.age = 1 p.new = 2 return p.name, p.age, p.new, #p.tags"
    #expect(try evaluate(changed) == [.nil, 1, 2, 2])
    let removed = "local a = p.name p.name = nil p.age = nil return a, p.name, p.age, #p.tags"
    #expect(try evaluate(removed) == ["Ada", .nil, .nil, 2])
    let counted = "p.name = p.name and nil local n = 0 for _ in pairs(p) do n = n + 1 end return n"
    #expect(try evaluate(counted) == [2])
    #expect(try evaluate("p[1] = 'x' return #p, p.name") == [1, "Ada"])
    #expect(try evaluate("return pcall(function() p[nil] = 1 end)").first == false)
  }

  @Test func `may outlive the call that brought it`() throws {
    let chunk = try state.load(
      "local kept return function(t) kept = kept or t.p return kept.name end", name: "test")
    let function = try #require(try state.call(chunk).first?.functionValue)
    for _ in 0..<3 {
      #expect(try state.call(function, fields: 1) { $0.set("p", record: Person()) } == ["Ada"])
      state.collectGarbage()
    }
  }

  @Test func `is let go with the state, or before if no script has it`() throws {
    let before = state.objects.count
    _ = try evaluate("return p.name")
    _ = try evaluate("for k in pairs(p) do end")
    state.collectGarbage()
    #expect(state.objects.count == before)
    let objects = try {
      let other = try LuaState(profile: .policy)
      _ = try evaluate("return p.age", in: other)
      return other.objects
    }()
    #expect(objects.count == 0)
  }

  @Test func `throws at each access if it cannot be written`() throws {
    let broken = Broken(value: .reference(try LuaState(profile: .policy).globals))
    let chunk = try state.load(
      """
      local t = ...
      local one, other = pcall(function() return t.p.name end)
      local two = pcall(function() return t.p.name end)
      local three, four = pcall(next, t.p), pcall(next, t.p)
      return one, two, three, four, other
      """, name: "test")
    let result = try state.call(chunk, fields: 1) { $0.set("p", record: broken) }
    #expect(result.prefix(4) == [false, false, false, false])
    #expect(result.last?.stringValue?.contains("belongs to another state") == true)
    let kept = try state.load("return (...).p", name: "test")
    let table = try #require(
      try state.call(kept, fields: 1, results: .references) { $0.set("p", record: broken) }
        .first?.referenceValue)
    #expect(state.field("name", of: table) == .nil)
    #expect(throws: LuaError.self) { try state.value(of: table) }
  }

  @Test func `fails the function of a plug-in that answers what cannot be written`() throws {
    let plugin = try LuaState(profile: .plugin)
    let broken = Broken(value: .reference(state.globals))
    let give = plugin.yieldingFunction(named: "give") { _ in .record(broken) }
    try plugin.set("give", to: .function(give))
    let chunk = try plugin.load("return pcall(give)", name: "test")
    #expect(try plugin.call(chunk).first == false)
    #expect(try evaluate("return p.name", in: plugin) == ["Ada"])
  }

  @Test func `counts as memory of the script that keeps it`() throws {
    let give = state.yieldingFunction(named: "give") { _ in .record(Person()) }
    try state.set("give", to: .function(give))
    let chunk = try state.load(
      "local kept = {} for i = 1, 1000 do kept[i] = give() end", name: "test")
    let error = try #require(throws: LuaError.self) {
      try state.call(chunk, limits: LuaLimits(memory: 1 << 20))
    }
    #expect(error.code == .memory)
    let dropping = try state.load("for i = 1, 1000 do give() end", name: "test")
    try state.call(dropping, limits: LuaLimits(memory: 1 << 20))
  }

  @Test func `is whole in the text of an error`() throws {
    let chunk = try state.load("local t = { c = (...).p } t.t = t error(t)", name: "test")
    let error = try #require(throws: LuaError.self) {
      try state.call(chunk, fields: 1) { $0.set("p", record: person) }
    }
    #expect(error.message.contains("Ada"))
    #expect(!error.message.contains("userdata"))
  }

  @Test func `is known as itself until a script has seen anything of it`() throws {
    let given = state.yieldingFunction(named: "given") { [person] _ in .record(person) }
    let untouched = state.function(named: "untouched") { call in
      [
        .bool(call.untouchedRecord(1) is Person),
        .bool(call.untouchedRecord(1, field: "p") is Person),
      ]
    }
    try state.set("given", to: .function(given))
    try state.set("untouched", to: .function(untouched))
    #expect(try evaluate("return untouched(p)") == [true, false])
    #expect(try evaluate("return untouched({ p = p })") == [false, true])
    #expect(
      try evaluate("return untouched({}), untouched(1), untouched()") == [
        false, false, false, false,
      ])
    for touch in ["local _ = p.name", "p.age = 37", "next(p)", "json.encode(p)"] {
      #expect(try evaluate("\(touch) return untouched(p)") == [false, false])
    }
    let chunk = try state.load("return given()", name: "test")
    let table = try #require(try state.call(chunk, results: .references).first?.referenceValue)
    #expect(state.untouchedRecord(of: table) is Person)
    #expect(state.field("name", of: table) == "Ada")
    #expect(state.untouchedRecord(of: table) == nil)
    #expect(state.untouchedRecord(of: state.globals) == nil)
  }

  @Test func `is written at once if scripts have raw access`() throws {
    let plugin = try LuaState(profile: .plugin)
    let values = try evaluate("return rawget(p, 'name'), getmetatable(p)", in: plugin)
    #expect(values == ["Ada", .nil])
    #expect(person.written == [0, 1, 2, 3])
  }

  @Test func `is written at once as a Swift value`() {
    #expect(LuaTable { $0.set("p", record: person) }["p"] == .table(LuaTable(person)))
    #expect(LuaTable(person)["age"] == 36)
  }
}
