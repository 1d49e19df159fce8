import LuaRuntime
import Testing

/// An unknown name is an error, in every profile and every kind of environment.
@Suite struct `Unknown names` {
  private static let profiles: [LuaProfile] = [.policy, .plugin, .console]

  private func run(_ code: String, _ profile: LuaProfile, sealed: Bool = false) throws -> [LuaValue]
  {
    let state = try LuaState(profile: profile)
    let chunk = try state.load(
      code, name: "test", environment: state.makeEnvironment(sealed: sealed))
    return try state.call(chunk)
  }

  private func message(_ code: String, _ profile: LuaProfile, sealed: Bool = false) -> String? {
    do {
      _ = try run(code, profile, sealed: sealed)
      return nil
    } catch {
      return (error as? LuaError)?.description
    }
  }

  @Test(arguments: profiles, [true, false])
  func `C4: an undefined global is an error with line, name and the nearest name`(
    profile: LuaProfile, sealed: Bool
  ) {
    for (code, expected) in [
      (
        "local wanted = 1\nlocal t = { email = wnated }",
        "test:2: 'wnated' is not defined; did you mean 'wanted'?"
      ),
      ("return wnated", "test:1: 'wnated' is not defined"),
      ("return tostrnig(1)", "test:1: 'tostrnig' is not defined; did you mean 'tostring'?"),
      ("return strign.rep('x', 2)", "test:1: 'strign' is not defined; did you mean 'string'?"),
      (
        "local function f() return limt end\nlocal limit = 1\nreturn f()",
        "test:1: 'limt' is not defined"
      ),
      (
        "local limit = 1\nlocal function f() return limit, limt end\nreturn f()",
        "test:2: 'limt' is not defined; did you mean 'limit'?"
      ),
      ("return _G.wnated", "test:1: 'wnated' is not defined"),
      ("return _ENV['wnated']", "test:1: 'wnated' is not defined"),
      ("return os", "test:1: 'os' is not defined; the sandbox has no os; time.now() is the time"),
      (
        "return load", "test:1: 'load' is not defined; the sandbox runs no other code than the file"
      ),
      ("return json.nul", "test:1: no field 'nul' in json; did you mean 'null'?"),
      ("return string.trim", "test:1: no field 'trim' in string"),
    ] {
      #expect(message(code, profile, sealed: sealed) == expected, "\(code)")
    }
  }

  @Test(arguments: profiles)
  func `C4: the error can be caught, and says the same`(profile: LuaProfile) throws {
    let caught = try run("return pcall(function() return wnated end)", profile)
    #expect(caught == [false, "test:1: 'wnated' is not defined"])
  }

  @Test func `C4: an assigned global exists, also if it is nil`() throws {
    #expect(try run("x = nil return x", .console) == [.nil])
    #expect(try run("x = 5 x = nil return x", .console) == [.nil])
    #expect(try run("local function set() y = 1 end set() return y", .console) == [1])
    #expect(try run("_G.z = nil return z", .console) == [.nil])
    #expect(
      try run("return rawget(_G, 'x'), rawget(_G, 'print') ~= nil", .console) == [.nil, true])
  }

  @Test func `C4: a host's name that is nil exists`() throws {
    let state = try LuaState(profile: .console)
    try state.set("lastError", to: .nil)
    let chunk = try state.load("return lastError", name: "test")
    #expect(try state.call(chunk) == [.nil])
  }

  @Test func `one environment declares nothing for another`() throws {
    let state = try LuaState(profile: .console)
    let first = state.makeEnvironment()
    _ = try state.call(state.load("x = nil", name: "a", environment: first))
    let chunk = try state.load("return x", name: "b", environment: state.makeEnvironment())
    #expect(throws: LuaError.self) { try state.call(chunk) }
  }

  @Test(arguments: profiles)
  func `the metatable that makes names strict is out of reach`(profile: LuaProfile) throws {
    guard profile != .policy else { return }
    #expect(try run("return getmetatable(_G), getmetatable(string)", profile) == [false, false])
    #expect(try run("return pcall(setmetatable, _G, {})", profile).first == false)
    #expect(message("setmetatable(_ENV, nil) return wnated", profile) != nil)
  }

  @Test(arguments: profiles, [true, false])
  func `libraries and globals are gone through as before`(profile: LuaProfile, sealed: Bool) throws
  {
    let count = try run(
      "local n = 0 for _ in pairs(\(sealed ? "{}" : "_G")) do n = n + 1 end return n >= 0", profile,
      sealed: sealed)
    #expect(count == [true])
    #expect(
      try run("return ('a'):upper(), math.max(1, 2), #table.pack(1, 2)", profile, sealed: sealed)
        == ["A", 2, 2])
  }

  @Test func `unknown names cost a policy its budget`() throws {
    let code = "while true do pcall(function() return wnated end) end"
    let state = try LuaState(profile: .policy)
    let chunk = try state.load(code, name: "test", environment: state.makeEnvironment(sealed: true))
    #expect {
      try state.call(chunk, limits: LuaLimits(instructions: 100_000, memory: 8 << 20))
    } throws: { ($0 as? LuaError)?.code == .instructions }
  }
}
