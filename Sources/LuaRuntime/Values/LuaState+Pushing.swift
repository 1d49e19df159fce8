import CLuaShim

extension LuaState {
  /// Moves the value on top of the stack into the registry.
  func takeReference(_ L: OpaquePointer) -> LuaReference {
    let name = String(cString: ls_type_name(L, -1))
    return LuaReference(index: ls_ref(L), typeName: name, released: released)
  }

  static func push(_ text: String, _ L: OpaquePointer) {
    var text = text
    text.withUTF8 { bytes in
      _ = bytes.withMemoryRebound(to: CChar.self) {
        lua_pushlstring(L, $0.baseAddress, $0.count)
      }
    }
  }

  /// Pushes a value.
  ///
  /// After an error the caller resets the stack.
  func push(_ value: LuaValue, _ L: OpaquePointer, depth: Int = 0) throws(LuaError) {
    switch value {
    case .nil: lua_pushnil(L)
    case .null: ls_push_null(L)
    case .bool(let value): lua_pushboolean(L, value ? 1 : 0)
    case .integer(let value): lua_pushinteger(L, value)
    case .number(let value): lua_pushnumber(L, value)
    case .string(let value): Self.push(value, L)
    case .bytes(let value):
      value.withUnsafeBytes {
        _ = lua_pushlstring(L, $0.assumingMemoryBound(to: CChar.self).baseAddress, $0.count)
      }
    case .table(let table): try pushTable(table, L, depth: depth)
    case .function(let function): try push(.reference(function.reference), L)
    case .object(let object): try pushObject(object, L)
    case .reference(let reference):
      guard reference.released === released else {
        throw LuaError(.argument, "a reference belongs to another state")
      }
      ls_push_ref(L, reference.index)
    }
  }

  private func pushTable(
    _ table: LuaTable, _ L: OpaquePointer, depth: Int
  ) throws(LuaError) {
    guard depth < ValueReader.deepest, lua_checkstack(L, 8) != 0 else {
      throw LuaError(.conversion, "a table is nested too deeply")
    }
    lua_createtable(L, Int32(clamping: table.array.count), Int32(clamping: table.fields.count))
    for (offset, element) in table.array.enumerated() {
      try push(element, L, depth: depth + 1)
      lua_rawseti(L, -2, Int64(offset + 1))
    }
    for (name, element) in table.fields {
      Self.push(name, L)
      try push(element, L, depth: depth + 1)
      lua_rawset(L, -3)
    }
  }

  private func pushObject(_ object: LuaObject, _ L: OpaquePointer) throws(LuaError) {
    guard let behavior = behaviors[object.type] else {
      throw LuaError(.argument, "no object type '\(object.type)' is defined in this state")
    }
    guard lua_checkstack(L, 8) != 0 else { throw LuaError(.conversion, "the stack is full") }
    let key = object.identity.map { "\(object.type)\0\($0)" }
    if let key {
      Self.push(key, L)
      if let box = ls_push_identified(L) {
        Unmanaged<HostObject>.fromOpaque(box).takeUnretainedValue().object = object
        return
      }
    }
    ls_push_ref(L, behavior.metatable.index)
    ls_push_object(L, Unmanaged.passRetained(HostObject(object, objects)).toOpaque())
    if let key {
      Self.push(key, L)
      ls_identify(L)
    }
  }

  /// Makes a Lua value from a Swift value and keeps it.
  public func reference(to value: LuaValue) throws(LuaError) -> LuaReference {
    drain()
    let top = lua_gettop(current)
    defer { lua_settop(current, top) }
    try push(value, current)
    return takeReference(current)
  }

  /// Reads a kept value, as a copy or with references.
  public func value(
    of reference: LuaReference, _ results: LuaResults = .copies
  ) throws(LuaError) -> LuaValue {
    let L = current
    let top = lua_gettop(L)
    defer { lua_settop(L, top) }
    try push(.reference(reference), L)
    var reader = ValueReader(state: self, results: results)
    return try reader.read(L, -1)
  }

  /// Reads a field of a kept table, raw; tables stay references.
  public func field(_ name: String, of table: LuaReference) -> LuaValue {
    peek(table) { L in
      Self.push(name, L)
      return lua_rawget(L, -2)
    }
  }

  /// Reads an element of a kept table, raw; tables stay references.
  public func element(_ index: Int, of table: LuaReference) -> LuaValue {
    peek(table) { L in lua_rawgeti(L, -1, Int64(index)) }
  }

  /// Returns the number of elements of a kept table, raw.
  public func length(of table: LuaReference) -> Int {
    let L = current
    let top = lua_gettop(L)
    defer { lua_settop(L, top) }
    guard (try? push(.reference(table), L)) != nil, lua_type(L, -1) == LUA_TTABLE else { return 0 }
    return Int(clamping: lua_rawlen(L, -1))
  }

  private func peek(_ table: LuaReference, _ read: (OpaquePointer) -> Int32) -> LuaValue {
    let L = current
    let top = lua_gettop(L)
    defer { lua_settop(L, top) }
    guard lua_checkstack(L, 8) != 0, (try? push(.reference(table), L)) != nil,
      lua_type(L, -1) == LUA_TTABLE
    else { return .nil }
    ls_push_backing(L, -1)
    lua_rotate(L, -2, -1)
    ls_pop(L, 1)
    guard (try? writeDeferred(L, -1)) != nil else { return .nil }
    _ = read(L)
    var reader = ValueReader(state: self, results: .references)
    return (try? reader.read(L, -1)) ?? .nil
  }
}
