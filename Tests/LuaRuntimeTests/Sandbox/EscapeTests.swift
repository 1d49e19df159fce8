import LuaRuntime
import Testing

@Suite struct EscapeTests {
  static let forbidden = [
    "load", "loadfile", "dofile", "loadstring", "require", "package", "io", "os", "debug",
    "collectgarbage", "string.dump", "coroutine and coroutine.close", "math.randomseed", "newproxy",
    "setfenv", "getfenv", "warn",
  ]

  @Test(arguments: [LuaProfile.policy, .plugin, .console], forbidden)
  func `a forbidden name does not exist`(profile: LuaProfile, name: String) throws {
    let state = try LuaState(profile: profile)

    let message = try failure(state, "return \(name)").message
    #expect(message.contains("is not defined") || message.contains("no field"), "\(message)")
  }

  @Test func `a policy has neither metatables nor coroutines`() throws {
    let state = try LuaState(profile: .policy)

    for name in [
      "setmetatable", "getmetatable", "rawset", "rawget", "rawequal", "rawlen", "coroutine",
      "print",
    ] {
      #expect(try failure(state, "return \(name)").message.contains("'\(name)' is not defined"))
    }
  }

  @Test func `all that can be reached is on the list`() throws {
    let state = try LuaState(profile: .plugin)
    let source = """
      local found = {}
      for k, v in pairs(_ENV) do
        if k ~= '_G' then
          found[#found + 1] = k
          if type(v) == 'table' then for name in pairs(v) do found[#found + 1] = k .. '.' .. name end end
        end
      end
      table.sort(found)
      return table.concat(found, ' ')
      """

    #expect(
      try evaluate(state, source) == [
        .string(
          """
          _VERSION assert base64 base64.decode base64.decodeURL base64.encode base64.encodeURL \
          coroutine coroutine.create coroutine.isyieldable coroutine.resume coroutine.running \
          coroutine.status coroutine.wrap coroutine.yield error getmetatable hash hash.equals hash.hmac \
          hash.md5 hash.sha1 hash.sha256 hash.sha512 ipairs json json.array json.decode json.encode json.null log \
          log.error log.info log.warn math math.abs math.acos math.asin math.atan math.ceil math.cos \
          math.deg math.exp math.floor math.fmod math.huge math.log math.max math.maxinteger \
          math.min math.mininteger math.modf math.pi math.rad math.random math.sin math.sqrt \
          math.tan math.tointeger math.type math.ult next pairs pcall rawequal rawget rawlen rawset \
          select setmetatable string string.byte string.char string.find string.format \
          string.gmatch string.gsub string.len string.lower string.match string.pack \
          string.packsize string.rep string.reverse string.sub string.unpack string.upper table \
          table.concat table.insert table.move table.pack table.remove table.sort table.unpack time \
          time.format time.now time.parse tonumber tostring type utf8 utf8.char utf8.charpattern \
          utf8.codepoint utf8.codes utf8.len utf8.offset xpcall
          """)
      ])
  }

  @Test func `one script cannot change the libraries of another`() throws {
    let state = try LuaState(profile: .plugin)
    try evaluate(
      state,
      """
      string.upper = nil table.concat = error math.pi = 3 pairs = nil json.null = 1 _G.tostring = nil
      for k in next, _G do if k ~= '_G' then _G[k] = nil end end
      """)

    #expect(
      try evaluate(state, "return ('a'):upper(), string.upper 'b', table.concat {1}, math.pi > 3")
        == ["A", "B", "1", true])
  }

  @Test func `globals of one script are unknown to another`() throws {
    let state = try LuaState(profile: .plugin)
    try evaluate(state, "secret = 1 _G.other = 2")

    #expect(
      try evaluate(state, "return rawget(_G, 'secret'), rawget(_G, 'other')") == [nil, nil])
  }

  @Test(
    arguments: [
      "return getmetatable('')", "return getmetatable('').__index",
      "return setmetatable('', {})", "getmetatable('').__index = {}",
      "return getmetatable(base64.encode)", "return rawset('', 'x', 1)",
    ])
  func `the metatable of strings is out of reach`(source: String) throws {
    let state = try LuaState(profile: .plugin)

    let result = try? evaluate(state, source)

    #expect(result == nil || result == [false] || result == [nil])
    #expect(try evaluate(state, "return ('a'):upper()") == ["A"])
  }

  @Test func `a metatable is answered as it was set, and copied`() throws {
    let state = try LuaState(profile: .plugin)
    let source = """
      local class = {} class.__index = class
      function class:name() return 'object' end
      local o = setmetatable({}, class)
      class.late = function() return 'late' end
      class.__gc = function() error 'never' end
      local sealed = setmetatable({}, { __metatable = 'mine' })
      return o:name(), o.late(), getmetatable(o) == class, getmetatable(sealed),
        (pcall(setmetatable, sealed, {})), getmetatable(json.decode '[]')
      """

    #expect(try evaluate(state, source) == ["object", "late", true, "mine", false, false])
  }

  @Test func `a weak mode added later has no effect`() throws {
    let state = try LuaState(profile: .plugin)
    let environment = state.makeEnvironment()
    let make = try state.load(
      "local m = {} t = setmetatable({}, m) m.__mode = 'k' for i = 1, 100 do t[{}] = i end",
      name: "test", environment: environment)
    let count = try state.load(
      "local n = 0 for _ in pairs(t) do n = n + 1 end return n", name: "test",
      environment: environment)

    try state.call(make)
    state.collectGarbage()

    #expect(try state.call(count) == [100])
  }

  @Test func `a sealed environment refuses globals by name`() throws {
    let state = try LuaState(profile: .policy)
    let environment = state.makeEnvironment(sealed: true)
    let chunk = try state.load("local a = 1\ncounter = a", name: "policy", environment: environment)

    let error = #expect(throws: LuaError.self) { try state.call(chunk) }

    #expect(error?.message.contains("'counter'") == true)
    #expect(error?.line == 2)
  }

  @Test(
    arguments: [
      "string.x = 1", "tostring = nil", "_G.y = 1", "json.null = nil", "_ENV.z = 2", "string = {}",
      "math.pi = 3",
    ])
  func `nothing in a sealed environment can be changed`(source: String) throws {
    let state = try LuaState(profile: .policy)
    let environment = state.makeEnvironment(sealed: true)
    let chunk = try state.load(source, name: "policy", environment: environment)

    #expect(throws: LuaError.self) { try state.call(chunk) }
    let after = try state.load(
      "return ('a'):upper(), string.upper('b'), tostring(1), math.pi > 3.1, _G == _ENV",
      name: "policy", environment: environment)
    #expect(try state.call(after) == ["A", "B", "1", true, true])
    for name in ["x", "y", "z"] {
      let read = try state.load("return \(name)", name: "policy", environment: environment)
      let error = #expect(throws: LuaError.self) { try state.call(read) }
      #expect(error?.message.contains("'\(name)' is not defined") == true)
    }
  }

  @Test func `names set for all reach environments made later`() throws {
    let state = try LuaState(profile: .policy)
    try state.set("limit", to: 5)
    let alone = state.makeEnvironment()
    try state.set("limit", to: 6, in: alone)

    #expect(try evaluate(state, "return limit") == [5])
    #expect(state.get("limit", in: alone) == 6)
  }
}
