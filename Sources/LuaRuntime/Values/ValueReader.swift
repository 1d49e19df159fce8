import CLuaShim

/// Reads values off the stack, without running any code of scripts.
///
/// Copies are bounded, because a small script can build a table whose copy would exhaust the machine's memory. Reads
/// during a run are charged to the script's budget, mostly while they happen.
struct ValueReader {
  static let deepest = 64
  private static let mostValues = 200_000
  private static let mostBytes = 64 << 20
  let state: LuaState
  let results: LuaResults
  /// True if a call's budget pays for the reads.
  private let isPaid: Bool
  private var paid = 0
  private var values = Self.mostValues
  private var bytes = Self.mostBytes
  private var path: [UnsafeRawPointer] = []

  init(state: LuaState, results: LuaResults, isPaid: Bool = false) {
    self.state = state
    self.results = results
    self.isPaid = isPaid
  }

  /// The cost of the values read so far, in steps of the budget.
  private var cost: Int {
    (Self.mostValues - values) * Self.costOfOne + (Self.mostBytes - bytes) / 64
  }

  /// The cost of a number or a short text.
  static let costOfOne = 4
  /// The maximum cost that is read before it is charged.
  static let mostUnpaid = 400

  /// Charges for reads since the last charge, if they cost more than `free` steps.
  mutating func pay(above free: Int) throws(LuaError) {
    let unpaid = cost - paid
    guard isPaid, unpaid > free else { return }
    paid += unpaid
    guard ls_pay_from_host(state.vm, Int64(unpaid)) else { throw state.abortError() }
  }

  mutating func read(_ L: OpaquePointer, _ index: Int32) throws(LuaError) -> LuaValue {
    values -= 1
    guard values > 0 else { throw LuaError(.conversion, "too much data to copy out of Lua") }
    try pay(above: Self.mostUnpaid)
    switch lua_type(L, index) {
    case LUA_TNIL: return .nil
    case LUA_TBOOLEAN: return .bool(lua_toboolean(L, index) != 0)
    case LUA_TNUMBER:
      return lua_isinteger(L, index) != 0
        ? .integer(ls_integer(L, index)) : .number(ls_number(L, index))
    case LUA_TSTRING:
      try note(lua_rawlen(L, index))
      return readString(L, index)
    case LUA_TTABLE where results == .copies:
      return .table(try readTable(L, ls_absolute(L, index)))
    case LUA_TFUNCTION:
      lua_pushvalue(L, index)
      return .function(LuaFunction(reference: state.takeReference(L)))
    case LUA_TLIGHTUSERDATA where ls_is_null(L, index): return .null
    default:
      if let object = hostObject(L, index) { return .object(object) }
      lua_pushvalue(L, index)
      return .reference(state.takeReference(L))
    }
  }

  /// Accounts for the length of a text before it is copied.
  private mutating func note(_ length: lua_Unsigned) throws(LuaError) {
    bytes -= Int(clamping: length)
    guard bytes > 0 else { throw LuaError(.conversion, "too much text to copy out of Lua") }
    try pay(above: Self.mostUnpaid)
  }

  private mutating func readTable(
    _ L: OpaquePointer, _ index: Int32
  ) throws(LuaError) -> LuaTable {
    guard let address = lua_topointer(L, index), !path.contains(address) else {
      throw LuaError(.conversion, "a table that contains itself cannot be copied")
    }
    guard path.count < Self.deepest, lua_checkstack(L, 8) != 0 else {
      throw LuaError(.conversion, "a table nested too deeply cannot be copied")
    }
    path.append(address)
    defer { path.removeLast() }
    try state.writeDeferred(L, index)
    let top = lua_gettop(L)
    defer { lua_settop(L, top) }

    var table = LuaTable()
    let count = Int64(clamping: lua_rawlen(L, index))
    if count > 0 {
      guard count < values else {
        throw LuaError(.conversion, "too much data to copy out of Lua")
      }
      table.array.reserveCapacity(Int(count))
      for position in 1...count {
        lua_rawgeti(L, index, position)
        table.array.append(try read(L, -1))
        ls_pop(L, 1)
      }
    }
    lua_pushnil(L)
    while lua_next(L, index) != 0 {
      if lua_isinteger(L, -2) != 0, (1...max(1, count)).contains(ls_integer(L, -2)), count > 0 {
        ls_pop(L, 1)
        continue
      }
      // The same table, and its keys, may be read many times.
      if lua_type(L, -2) == LUA_TSTRING { try note(lua_rawlen(L, -2)) }
      guard lua_type(L, -2) == LUA_TSTRING, case .string(let name) = readString(L, -2) else {
        throw LuaError(
          .conversion, "a table whose keys are neither a list nor names cannot be copied")
      }
      table.fields[name] = try read(L, -1)
      ls_pop(L, 1)
    }
    return table
  }
}

/// Reads a string of any bytes.
func readString(_ L: OpaquePointer, _ index: Int32) -> LuaValue {
  var length = 0
  guard lua_type(L, index) == LUA_TSTRING, let text = lua_tolstring(L, index, &length) else {
    return .nil
  }
  return text.withMemoryRebound(to: UInt8.self, capacity: length) {
    let bytes = UnsafeBufferPointer(start: $0, count: length)
    // Most strings are short ASCII names, which need no full validation.
    if length <= 64, bytes.allSatisfy({ $0 < 0x80 }) {
      return .string(String(decoding: bytes, as: UTF8.self))
    }
    if let string = String(validating: bytes, as: UTF8.self) { return .string(string) }
    return .bytes(Array(bytes))
  }
}

/// Reads the bytes of a string, valid UTF-8 or not.
func readBytes(_ L: OpaquePointer, _ index: Int32) -> [UInt8] {
  var length = 0
  guard let text = lua_tolstring(L, index, &length) else { return [] }
  return text.withMemoryRebound(to: UInt8.self, capacity: length) {
    Array(UnsafeBufferPointer(start: $0, count: length))
  }
}

func hostObject(_ L: OpaquePointer, _ index: Int32) -> LuaObject? {
  guard let box = ls_object_box(L, index) else { return nil }
  return Unmanaged<HostObject>.fromOpaque(box).takeUnretainedValue().object
}
