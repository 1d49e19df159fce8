import CLuaShim

/// Fills a table field by field: in Lua itself, or as a Swift value.
///
/// One description of a table serves both: scripts get the table without an intermediate Swift copy, and hosts can get
/// a copy. A nil field is absent. The writer is valid only in the closure that gets it. A value that cannot be written
/// fails the call that the table is for.
public struct LuaTableWriter {
  private final class Copy {
    var table = LuaTable()
  }

  /// The Lua stack with the table on top; nil for a Swift value.
  private let stack: OpaquePointer?
  // The owner of these two outlives the closure.
  private unowned(unsafe) let state: LuaState?
  private unowned(unsafe) let copy: Copy?

  fileprivate init(_ state: LuaState, _ L: OpaquePointer) {
    (stack, self.state, copy) = (L, state, nil)
  }

  private init(_ copy: Copy) { (stack, state, self.copy) = (nil, nil, copy) }

  /// Writes a text.
  public func set(_ name: String, _ text: String?) {
    guard let text else { return }
    if let stack {
      LuaState.push(name, stack)
      LuaState.push(text, stack)
      lua_rawset(stack, -3)
    } else {
      copy?.table.fields[name] = .string(text)
    }
  }

  /// Writes a whole number.
  public func set(_ name: String, _ number: Int64?) {
    guard let number else { return }
    if let stack {
      LuaState.push(name, stack)
      lua_pushinteger(stack, number)
      lua_rawset(stack, -3)
    } else {
      copy?.table.fields[name] = .integer(number)
    }
  }

  /// Writes true or false.
  public func set(_ name: String, _ truth: Bool) {
    if let stack {
      LuaState.push(name, stack)
      lua_pushboolean(stack, truth ? 1 : 0)
      lua_rawset(stack, -3)
    } else {
      copy?.table.fields[name] = .bool(truth)
    }
  }

  /// Writes any value.
  public func set(_ name: String, value: LuaValue) {
    if let stack {
      write { () throws(LuaError) in
        LuaState.push(name, stack)
        try state?.push(value, stack, depth: 1)
        lua_rawset(stack, -3)
      }
    } else {
      copy?.table[name] = value
    }
  }

  /// Writes a table of approximately `fields` fields, with known names if `names` is given.
  public func set(
    _ name: String, fields: Int, knowing names: LuaFieldNames? = nil,
    _ fill: (LuaTableWriter) -> Void
  ) {
    if let stack {
      write { () throws(LuaError) in
        LuaState.push(name, stack)
        try pushTable(fields: fields, knowing: names, stack, fill)
        lua_rawset(stack, -3)
      }
    } else {
      copy?.table.fields[name] = .table(LuaTable(writing: fill))
    }
  }

  /// Writes a list of `count` tables, each of approximately `fields` fields, with known names if `names` is given.
  public func set(
    _ name: String, count: Int, fields: Int, knowing names: LuaFieldNames? = nil,
    _ fill: (LuaTableWriter, Int) -> Void
  ) {
    if let stack {
      write { () throws(LuaError) in
        LuaState.push(name, stack)
        lua_createtable(stack, Int32(clamping: count), 0)
        for index in 0..<count {
          try pushTable(fields: fields, knowing: names, stack) { fill($0, index) }
          lua_rawseti(stack, -2, Int64(index + 1))
        }
        lua_rawset(stack, -3)
      }
    } else {
      let tables = (0..<count).map { index in LuaTable(writing: { fill($0, index) }) }
      copy?.table.fields[name] = .table(LuaTable(array: tables.map { .table($0) }))
    }
  }

  /// Writes a record.
  public func set(_ name: String, record: any LuaRecord) {
    if let stack {
      write { () throws(LuaError) in
        LuaState.push(name, stack)
        try state?.pushRecord(record, stack)
        lua_rawset(stack, -3)
      }
    } else {
      copy?.table.fields[name] = .table(LuaTable(record))
    }
  }

  /// Keeps the first failure of a write, and restores the stack.
  private func write(_ body: () throws(LuaError) -> Void) {
    guard let stack, let state, state.writingFailure == nil else { return }
    let top = lua_gettop(stack)
    do {
      try body()
    } catch {
      state.writingFailure = error
      lua_settop(stack, top)
    }
  }

  private func pushTable(
    fields: Int, knowing names: LuaFieldNames?, _ L: OpaquePointer,
    _ fill: (LuaTableWriter) -> Void
  ) throws(LuaError) {
    guard let state else { return }
    try Self.push(fields: fields, state, L, fill)
    try state.know(names, L)
  }

  /// Leaves a table on the stack.
  static func push(
    fields: Int, _ state: LuaState, _ L: OpaquePointer, _ fill: (LuaTableWriter) -> Void
  ) throws(LuaError) {
    guard lua_checkstack(L, 8) != 0 else {
      throw LuaError(.conversion, "a table is nested too deeply")
    }
    lua_createtable(L, 0, Int32(clamping: fields))
    fill(LuaTableWriter(state, L))
  }

  static func copy(_ fill: (LuaTableWriter) -> Void) -> LuaTable {
    let copy = Copy()
    fill(LuaTableWriter(copy))
    return copy.table
  }
}

extension LuaTable {
  /// Creates a table from its description.
  public init(writing fill: (LuaTableWriter) -> Void) { self = LuaTableWriter.copy(fill) }

  /// Creates the table that scripts see for a record.
  public init(_ record: some LuaRecord) { self.init(writing: record.writeAll) }
}

extension LuaState {
  /// Pushes a table that a closure fills.
  ///
  /// After an error the caller resets the stack.
  func pushWritten(
    fields: Int, knowing names: LuaFieldNames? = nil, _ L: OpaquePointer,
    _ fill: (LuaTableWriter) -> Void
  ) throws(LuaError) {
    defer { writingFailure = nil }
    try LuaTableWriter.push(fields: fields, self, L, fill)
    if let writingFailure { throw writingFailure }
    try know(names, L)
  }

  /// Writes additional fields to the table on top of the stack.
  func writing(
    to L: OpaquePointer, _ fill: (LuaTableWriter) -> Void
  ) throws(LuaError) {
    defer { writingFailure = nil }
    fill(LuaTableWriter(self, L))
    if let writingFailure { throw writingFailure }
  }
}
