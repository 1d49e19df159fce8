import CLuaShim

extension LuaCall {
  /// Keeps an argument of any type but nil.
  public func reference(_ index: Int, _ name: String? = nil) throws -> LuaReference {
    guard !isNil(index) else { throw expected("value", index, name) }
    lua_pushvalue(L, Int32(index))
    return state.takeReference(L)
  }

  /// Reads text; a number is converted to text.
  public func string(_ index: Int, _ name: String? = nil) throws -> String {
    guard lua_isstring(L, Int32(index)) != 0 else { throw expected("string", index, name) }
    lua_pushvalue(L, Int32(index))
    defer { ls_pop(L, 1) }
    _ = lua_tolstring(L, -1, nil)
    guard case .string(let text) = readString(L, -1) else {
      throw argumentError(index, "text in UTF-8 expected", name: name)
    }
    return text
  }

  /// Reads a string of any bytes.
  public func bytes(_ index: Int, _ name: String? = nil) throws -> [UInt8] {
    guard lua_type(L, Int32(index)) == LUA_TSTRING else { throw expected("string", index, name) }
    return readBytes(L, Int32(index))
  }

  /// Reads a whole number.
  public func integer(_ index: Int, _ name: String? = nil) throws -> Int64 {
    guard lua_type(L, Int32(index)) == LUA_TNUMBER else {
      throw expected("integer", index, name)
    }
    var isWhole: Int32 = 0
    let value = lua_tointegerx(L, Int32(index), &isWhole)
    guard isWhole != 0 else {
      throw argumentError(index, "the number has a fraction", name: name)
    }
    return value
  }

  /// Reads a number.
  public func number(_ index: Int, _ name: String? = nil) throws -> Double {
    guard lua_type(L, Int32(index)) == LUA_TNUMBER else {
      throw expected("number", index, name)
    }
    return ls_number(L, Int32(index))
  }

  /// Reads true or false.
  public func bool(_ index: Int, _ name: String? = nil) throws -> Bool {
    guard lua_type(L, Int32(index)) == LUA_TBOOLEAN else {
      throw expected("boolean", index, name)
    }
    return lua_toboolean(L, Int32(index)) != 0
  }

  /// Copies a table.
  public func table(
    _ index: Int, _ name: String? = nil, _ results: LuaResults = .copies
  ) throws -> LuaTable {
    guard lua_type(L, Int32(index)) == LUA_TTABLE,
      case .table(let table) = try value(index, results)
    else {
      throw expected("table", index, name)
    }
    return table
  }

  /// Reads a field of a table, or of a nested table, raw; returns nil if there is no table.
  public func field(
    _ path: String..., of index: Int, _ results: LuaResults = .references
  ) throws -> LuaValue {
    guard lua_checkstack(L, 8) != 0 else { return .nil }
    let top = lua_gettop(L)
    defer { lua_settop(L, top) }
    pushArgument(index)
    for name in path where try !enter(name) { return .nil }
    return try readField(-1, results)
  }

  /// Replaces the table on top of the stack with one of its fields; returns false if there is no table.
  private func enter(_ name: String) throws -> Bool {
    guard lua_type(L, -1) == LUA_TTABLE else { return false }
    try state.writeDeferred(L, -1, name)
    LuaState.push(name, L)
    lua_rawget(L, -2)
    lua_rotate(L, -2, -1)
    ls_pop(L, 1)
    return true
  }

  private func readField(_ place: Int32, _ results: LuaResults = .references) throws -> LuaValue {
    // Charging for a number or a short text would take longer than reading it.
    try read(place, results, free: ValueReader.costOfOne)
  }

  /// Iterates over the table that is an argument, or a field of one; an absent field has no entries.
  ///
  /// `body` gets the name of each entry, or nil for an element of a list, and can read its value. Any other key is
  /// refused, and so is a value that is no table.
  public func eachField(
    of index: Int, _ name: String? = nil, in field: String? = nil,
    _ body: (_ name: String?, _ value: () throws -> LuaValue) throws -> Void
  ) throws {
    let name = field ?? name
    guard lua_checkstack(L, 12) != 0 else { throw LuaError(.conversion, "the stack is full") }
    let top = lua_gettop(L)
    defer { lua_settop(L, top) }
    pushArgument(index)
    let table = lua_gettop(L)
    if let field {
      guard try enter(field), lua_type(L, table) != LUA_TNIL else { return }
    }
    guard lua_type(L, table) == LUA_TTABLE else {
      let found = field == nil ? typeName(index) : typeName(table)
      throw argumentError(index, "table expected, got \(found)", name: name)
    }
    try state.writeDeferred(L, table)
    var unpaid = 0
    lua_pushnil(L)
    while lua_next(L, table) != 0 {
      unpaid += ValueReader.costOfOne
      if unpaid > 100 {
        try charge(unpaid)
        unpaid = 0
      }
      var key: String?
      if case .string(let text) = readString(L, table + 1) {
        key = text
      } else if lua_isinteger(L, table + 1) == 0 {
        throw argumentError(index, "a key of it is no name", name: name)
      }
      try body(key) { try readField(table + 2) }
      lua_settop(L, table + 1)
    }
  }

  /// Keeps a function.
  public func function(_ index: Int, _ name: String? = nil) throws -> LuaFunction {
    guard lua_type(L, Int32(index)) == LUA_TFUNCTION else {
      throw expected("function", index, name)
    }
    return LuaFunction(reference: try reference(index))
  }

  /// Reads a host object of a type.
  public func object(_ index: Int, _ type: String, _ name: String? = nil) throws -> LuaObject {
    guard lua_checkstack(L, 4) != 0, let object = hostObject(L, Int32(index)), object.type == type
    else { throw expected(type, index, name) }
    return object
  }

  /// Reads the Swift value of a host object.
  public func object<T>(_ index: Int, as: T.Type, type: String) throws -> T {
    guard let value = try object(index, type).value as? T else { throw expected(type, index, nil) }
    return value
  }

  /// Reads text unless it is absent or nil.
  public func optionalString(_ index: Int, _ name: String? = nil) throws -> String? {
    isNil(index) ? nil : try string(index, name)
  }

  /// Reads bytes unless they are absent or nil.
  public func optionalBytes(_ index: Int, _ name: String? = nil) throws -> [UInt8]? {
    isNil(index) ? nil : try bytes(index, name)
  }

  /// Reads a whole number unless it is absent or nil.
  public func optionalInteger(_ index: Int, _ name: String? = nil) throws -> Int64? {
    isNil(index) ? nil : try integer(index, name)
  }

  /// Reads a number unless it is absent or nil.
  public func optionalNumber(_ index: Int, _ name: String? = nil) throws -> Double? {
    isNil(index) ? nil : try number(index, name)
  }

  /// Reads true or false unless it is absent or nil.
  public func optionalBool(_ index: Int, _ name: String? = nil) throws -> Bool? {
    isNil(index) ? nil : try bool(index, name)
  }

  /// Copies a table unless it is absent or nil.
  public func optionalTable(_ index: Int, _ name: String? = nil) throws -> LuaTable? {
    isNil(index) ? nil : try table(index, name)
  }

  /// Keeps a function unless it is absent or nil.
  public func optionalFunction(_ index: Int, _ name: String? = nil) throws -> LuaFunction? {
    isNil(index) ? nil : try function(index, name)
  }

  /// Reads a host object unless it is absent or nil.
  public func optionalObject(
    _ index: Int, _ type: String, _ name: String? = nil
  ) throws -> LuaObject? {
    isNil(index) ? nil : try object(index, type, name)
  }
}
