import LuaRuntime
import Testing

/// Objects of one identity are one object for as long as a script holds it.
@Suite struct `C13: an object of an identity` {
  let state: LuaState

  init() throws {
    state = try LuaState(profile: .console)
    for name in ["thing", "other"] {
      var type = LuaObjectType(name: name)
      type.get = { _, object, field in
        field == "value" ? .values([.string(object.value as? String ?? "")]) : nil
      }
      state.define(type)
    }
    let make = state.function(named: "make") { call in
      [
        .object(
          LuaObject(
            type: try call.string(1), value: try call.string(3),
            identity: try call.optionalString(2)))
      ]
    }
    try state.set("make", to: .function(make))
  }

  @Test func `C13: is the same key of a table, and has the newest value`() throws {
    #expect(
      try evaluate(
        state,
        """
        local a = make("thing", "1", "old")
        local t = { [a] = 7 }
        local b = make("thing", "1", "new")
        return t[b], a == b, rawequal(a, b), a.value
        """) == [7, true, true, "new"])
  }

  @Test func `C13: differs from others, from those of other types and from those without one`()
    throws
  {
    #expect(
      try evaluate(
        state,
        """
        local a = make("thing", "1", "x")
        return a == make("thing", "2", "x"), a == make("other", "1", "x"), a == make("thing", nil, "x"),
          make("thing", nil, "x") == make("thing", nil, "x"), make("thing", "", "x") == make("thing", "", "x")
        """) == [false, false, false, false, true])
  }

  @Test func `C13: is let go when no script holds it, and stays while one does`() throws {
    let before = state.objects.count
    try state.call(state.load("kept = make('thing', 'kept', 'v')", name: "test"))
    _ = try evaluate(state, "for i = 1, 10000 do local t = make('thing', 't' .. i, 'v') end")
    state.collectGarbage()
    #expect(state.objects.count == before + 1)
    #expect(
      try state.call(
        state.load("return kept == make('thing', 'kept', 'newer'), kept.value", name: "test")) == [
          true, "newer",
        ])
    try state.call(state.load("kept = nil", name: "test"))
    state.collectGarbage()
    #expect(state.objects.count == before)
    #expect(try evaluate(state, "return make('thing', 'kept', 'again').value") == ["again"])
  }

  @Test func `C13: takes no more memory the longer a loop runs`() throws {
    let loop = "for i = 1, 20000 do local t = make('thing', 'n' .. n .. i, 'v') end"
    _ = try evaluate(state, "n = 0 \(loop)")
    state.collectGarbage()
    let before = state.memoryUsed
    for round in 1...5 { _ = try evaluate(state, "n = \(round) \(loop)") }
    state.collectGarbage()
    #expect(state.memoryUsed < before + 64 * 1024)
  }

  @Test func `C13: outlives a collection that memory forces, with short memory at every place`()
    throws
  {
    let small = try LuaState(
      profile: .plugin, configuration: .init(limits: LuaLimits(memory: 1 << 20)))
    small.define(LuaObjectType(name: "thing"))
    let make = small.function(named: "make") { call in
      [.object(LuaObject(type: "thing", value: 1, identity: try call.string(1)))]
    }
    try small.set("make", to: .function(make))
    #expect(
      try evaluate(
        small,
        """
        local held, t = {}, {}
        for i = 1, 200 do held[i] = make("k" .. i) t[held[i]] = i end
        for round = 1, 60 do
          local big = string.rep("x", 400 * 1000)
          for i = 1, 500 do make("g" .. round .. "-" .. i) end
          for i = 1, 200 do assert(t[make("k" .. i)] == i) end
        end
        return #held
        """) == [200])
  }

  @Test func `C13: goes with its state`() throws {
    let objects = try {
      let other = try LuaState(profile: .console)
      other.define(LuaObjectType(name: "thing"))
      let object = LuaObject(type: "thing", value: 1, identity: "1")
      try other.set("kept", to: .object(object))
      try other.set("again", to: .object(object))
      #expect(try evaluate(other, "return kept == again") == [true])
      return other.objects
    }()
    #expect(objects.count == 0)
  }
}
