import CLuaShim
import NIOConcurrencyHelpers

/// Checks once for each profile and process that scripts cannot leave the sandbox.
///
/// A distribution may link additional code into its Lua, so the check examines the library that actually runs.
enum SandboxSelfTest {
  private static let passed = NIOLockedValueBox<Set<LuaProfile>>([])

  static let forbidden = [
    "load", "loadfile", "dofile", "loadstring", "require", "package", "module", "io", "os",
    "debug", "collectgarbage", "setfenv", "getfenv", "newproxy",
  ]

  private static let probe = """
    local names = ...
    local function has(place, wanted)
      for name in pairs(place) do
        if name == wanted then return true end
      end
    end
    for _, name in ipairs(names) do
      if has(_ENV, name) or has(_G, name) then return name end
    end
    if has(string, "dump") or ("").dump then return "string.dump" end
    if has(math, "randomseed") then return "math.randomseed" end
    if has(_ENV, "coroutine") and has(coroutine, "close") then return "coroutine.close" end
    if has(_ENV, "getmetatable") and getmetatable("") ~= false then
      return "the metatable of strings"
    end
    string.upper = function() return "replaced" end
    if ("a"):upper() ~= "A" then return "the methods of strings" end
    """

  static func check(_ state: LuaState) throws(LuaError) {
    guard lua_version(state.current) == Double(LUA_VERSION_NUM) else {
      throw LuaError(.setup, "the Lua library has another version than its headers")
    }
    guard !passed.withLockedValue({ $0.contains(state.profile) }) else { return }
    let function = try state.load(probe, name: "probe", environment: state.makeEnvironment())
    let names = LuaValue.table(LuaTable(array: forbidden.map { .string($0) }))
    let limits = LuaLimits(instructions: 100_000, memory: 64 << 20)
    if let name = try state.call(function, [names], limits: limits).first?.stringValue {
      throw LuaError(.setup, "scripts could reach \(name)")
    }
    passed.withLockedValue { _ = $0.insert(state.profile) }
  }
}
