import CLuaShim

/// A value that scripts see as a table, each field of which is written at its first use.
///
/// Scripts cannot tell it from an ordinary table. In profiles with raw access to tables, such as that of plug-ins, it
/// is written at once. A record must not hold Lua values, because they would never be collected.
public protocol LuaRecord {
  /// The names of the fields of all values of the type, in counting order.
  static var luaFields: LuaFieldNames { get }
  /// The approximate size in bytes, which counts towards the memory limit of Lua.
  var luaBytes: Int { get }
  /// Writes the field at an index of ``luaFields``; writes nothing if it has no value.
  func write(_ place: Int, to table: LuaTableWriter)
}

/// The names of the fields of a ``LuaRecord``, or of an ordinary table.
public struct LuaFieldNames: Sendable {
  let all: [String]
  /// The kind of table, whose unknown names are errors; nil if scripts may read any name.
  let kind: LuaTableKind?
  fileprivate let places: [String: Int]

  /// Takes at most 64 different names of at most 64 bytes.
  ///
  /// - Parameters:
  ///   - names: the fields.
  ///   - kind: the table's title, such as "an account". In the profile of policies, reading any other name is then an
  ///     error that suggests the nearest name. Iteration and writes are not affected.
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

/// A record that is a table of Lua, with the set of fields written so far.
private final class DeferredTable {
  let record: any LuaRecord
  private let objects: ObjectCounter
  /// A bit for each field that was written, so that a field that a script removes stays absent.
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
  /// Tells whether fields are written on demand.
  ///
  /// With raw access a script would see that fields are missing.
  var defersRecords: Bool { profile == .policy }

  func installRecords() {
    guard defersRecords else { return }
    let write = HostFunction("write", objects) { call in
      let name: String? = if case .string(let name) = readString(call.L, 2) { name } else { nil }
      // A key that is not text names no field.
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

  /// Makes a Lua value of a record and keeps it.
  public func reference(to record: any LuaRecord) throws(LuaError) -> LuaReference {
    drain()
    let top = lua_gettop(current)
    defer { lua_settop(current, top) }
    try pushRecord(record, current)
    return takeReference(current)
  }

  /// Writes one field of a record, or all fields without a name.
  ///
  /// Other values are left unchanged.
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
      // A second read has to fail again.
      table.written = before
      throw error
    }
    if name == nil { ls_end_deferred(L, -1) }
  }

  /// Returns the record of a table that no script has touched; nil otherwise.
  func untouchedRecord(_ L: OpaquePointer, _ index: Int32) -> (any LuaRecord)? {
    deferred(L, index).flatMap { $0.isUntouched ? $0.record : nil }
  }

  /// Returns the record of a kept table that no script has touched; nil if the table itself has to be read.
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
  /// Returns the record of an argument, or of a field of one, that no script has touched; nil if the table itself has
  /// to be read.
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
