import CLuaShim

/// A value that scripts see as a table, each field of which is written when it is first asked for.
///
/// To scripts it is like a table that is written at once, and where they have raw access to tables, as in
/// plug-ins, it is one. It holds no value of Lua: what it refers to there would never be collected.
public protocol LuaRecord {
  /// Names the fields of all values of the type, in the order in which they are counted.
  static var luaFields: LuaFieldNames { get }
  /// About how many bytes it takes, which count as if they were Lua's.
  var luaBytes: Int { get }
  /// Writes the field of a place in ``luaFields``, or none where it has no value.
  func write(_ place: Int, to table: LuaTableWriter)
}

/// The names of the fields of a ``LuaRecord``, or of a table that is written at once.
public struct LuaFieldNames: Sendable {
  let all: [String]
  /// What scripts may read nothing else of; nil where any name may be asked for.
  let kind: LuaTableKind?
  fileprivate let places: [String: Int]

  /// Takes at most 64 different names of at most 64 bytes.
  ///
  /// - Parameters:
  ///   - names: the fields.
  ///   - kind: what such a table is, such as "an account". In the profile of policies it is then an error to read any
  ///     other name, which says so with the nearest one; to go through the table and to write to it is as ever.
  public init(_ names: [String], of kind: String? = nil) {
    precondition(names.count <= 64, "A record has at most 64 fields.")
    precondition(
      names.allSatisfy { $0.utf8.count <= Int(LS_LONGEST_FIELD) }, "A field's name is too long.")
    all = names
    self.kind = kind.map { LuaTableKind($0, names) }
    places = Dictionary(uniqueKeysWithValues: zip(names, names.indices))
  }
}

extension LuaRecord {
  /// Writes all fields.
  public func writeAll(to table: LuaTableWriter) {
    for place in Self.luaFields.all.indices { write(place, to: table) }
  }
}

/// A record that is a table of Lua, and what is written of it so far.
private final class DeferredTable {
  let record: any LuaRecord
  private let objects: ObjectCounter
  /// A bit for each field that was written: what a script removes stays away.
  var written: UInt64 = 0

  init(_ record: any LuaRecord, _ objects: ObjectCounter) {
    self.record = record
    self.objects = objects
    objects.born()
  }

  deinit { objects.gone() }

  var isUntouched: Bool { written == 0 }

  func writeField(_ name: String, to table: LuaTableWriter) {
    if let place = type(of: record).luaFields.places[name] { writeField(place, to: table) }
  }

  func writeFields(to table: LuaTableWriter) {
    for place in type(of: record).luaFields.all.indices { writeField(place, to: table) }
  }

  private func writeField(_ place: Int, to table: LuaTableWriter) {
    guard written & 1 << place == 0 else { return }
    written |= 1 << place
    record.write(place, to: table)
  }
}

extension LuaState {
  /// Whether records are written when they are asked for: with raw access a script would see what is not written yet.
  var defersRecords: Bool { profile == .policy }

  func installRecords() {
    guard defersRecords else { return }
    let write = HostFunction("write", objects) { call in
      let name: String? = if case .string(let name) = readString(call.L, 2) { name } else { nil }
      // A name that is no text is no field's.
      if call.count == 1 || name != nil { try call.state.writeDeferred(call.L, 1, name) }
      return .values([])
    }
    pushFunction(write, current)
    ls_open_deferred(current)
  }

  func pushRecord(_ record: any LuaRecord, _ L: OpaquePointer) throws(LuaError) {
    guard defersRecords else {
      return try pushWritten(
        fields: type(of: record).luaFields.all.count, L, record.writeAll)
    }
    guard lua_checkstack(L, 8) != 0 else { throw LuaError(.conversion, "the stack is full") }
    let table = DeferredTable(record, objects)
    let known = try knownMetatables(of: type(of: record).luaFields.kind)
    ls_push_deferred(L, Unmanaged.passRetained(table).toOpaque(), record.luaBytes)
    if let known {
      ls_push_ref(L, known.deferred.index)
      lua_setmetatable(L, -2)
    }
  }

  /// Makes a record a value of Lua and keeps it.
  public func reference(to record: any LuaRecord) throws(LuaError) -> LuaReference {
    drain()
    let top = lua_gettop(current)
    defer { lua_settop(current, top) }
    try pushRecord(record, current)
    return takeReference(current)
  }

  /// Writes a field of a record, or without a name all; leaves any other value alone.
  func writeDeferred(
    _ L: OpaquePointer, _ index: Int32, _ name: String? = nil
  ) throws(LuaError) {
    guard let table = deferred(L, index) else { return }
    guard lua_checkstack(L, 8) != 0 else { throw LuaError(.conversion, "the stack is full") }
    let top = lua_gettop(L)
    defer { lua_settop(L, top) }
    lua_pushvalue(L, index)
    let before = table.written
    do throws(LuaError) {
      try writing(to: L) { writer in
        if let name { table.writeField(name, to: writer) } else { table.writeFields(to: writer) }
      }
    } catch {
      // Asked for again, it fails again.
      table.written = before
      throw error
    }
    if name == nil { ls_end_deferred(L, -1) }
  }

  /// The record that a table stands for, where no script has seen anything of it.
  func untouchedRecord(_ L: OpaquePointer, _ index: Int32) -> (any LuaRecord)? {
    deferred(L, index).flatMap { $0.isUntouched ? $0.record : nil }
  }

  /// The record that a kept table stands for, where no script has seen anything of it; else the table says what it is.
  public func untouchedRecord(of table: LuaReference) -> (any LuaRecord)? {
    let L = current
    let top = lua_gettop(L)
    defer { lua_settop(L, top) }
    guard lua_checkstack(L, 8) != 0, (try? push(.reference(table), L)) != nil else { return nil }
    return untouchedRecord(L, -1)
  }

  private func deferred(_ L: OpaquePointer, _ index: Int32) -> DeferredTable? {
    guard defersRecords, let box = ls_deferred(L, index) else { return nil }
    return Unmanaged<DeferredTable>.fromOpaque(box).takeUnretainedValue()
  }
}

extension LuaCall {
  /// The record that an argument, or a field of one, stands for where no script has seen anything of it; else the
  /// table says what it is.
  public func untouchedRecord(_ index: Int, field: String? = nil) -> (any LuaRecord)? {
    guard index <= count, lua_checkstack(L, 8) != 0 else { return nil }
    guard let field else { return state.untouchedRecord(L, Int32(index)) }
    guard lua_type(L, Int32(index)) == LUA_TTABLE else { return nil }
    LuaState.push(field, L)
    lua_rawget(L, Int32(index))
    defer { ls_pop(L, 1) }
    return state.untouchedRecord(L, -1)
  }
}
