public import AuthCore
public import LuaRuntime

extension JSONValue {
  /// The value as Lua sees it; a JSON null is `json.null`.
  public var lua: LuaValue {
    switch self {
    case .null: .null
    case .bool(let value): .bool(value)
    case .integer(let value): .integer(value)
    case .number(let value): .number(value)
    case .string(let text): .string(text)
    case .array(let elements): .table(LuaTable(array: elements.map(\.lua)))
    case .object(let members): .table(LuaTable(fields: members.mapValues(\.lua)))
    }
  }

  /// The value as Lua sees it, with members that are null left out, so that `a.b or c` works; null itself is nil.
  ///
  /// The elements of a list keep their places.
  var luaWithoutNulls: LuaValue {
    switch self {
    case .null: .nil
    case .array(let elements):
      .table(LuaTable(array: elements.map { $0 == .null ? .null : $0.luaWithoutNulls }))
    case .object(let members):
      .table(LuaTable(fields: members.filter { $0.value != .null }.mapValues(\.luaWithoutNulls)))
    default: lua
    }
  }

  /// The value as Lua sees it with nothing in it that is null: what scripts decide by says nothing by being empty.
  var luaWithoutEmpty: LuaValue {
    switch self {
    case .null: .nil
    case .array(let elements):
      .table(LuaTable(array: elements.filter { $0 != .null }.map(\.luaWithoutEmpty)))
    case .object(let members):
      .table(LuaTable(fields: members.filter { $0.value != .null }.mapValues(\.luaWithoutEmpty)))
    default: lua
    }
  }

  /// Reads a Lua value; nil for what JSON cannot say: functions, host objects, bytes that are no text.
  ///
  /// A table is a list where it has a first element, an object otherwise; one that is both is neither.
  public init?(_ value: LuaValue) {
    switch value {
    case .nil, .null: self = .null
    case .bool(let value): self = .bool(value)
    case .integer(let value): self = .integer(value)
    case .number(let value):
      guard value.isFinite else { return nil }
      self = .number(value)
    case .string(let text): self = .string(text)
    case .table(let table):
      guard table.array.isEmpty || table.fields.isEmpty else { return nil }
      if table.array.isEmpty {
        let members = table.fields.mapValues { JSONValue($0) }
        guard !members.values.contains(nil) else { return nil }
        self = .object(members.compactMapValues(\.self))
      } else {
        let elements = table.array.map { JSONValue($0) }
        guard !elements.contains(nil) else { return nil }
        self = .array(elements.compactMap(\.self))
      }
    case .bytes, .function, .object, .reference: return nil
    }
  }
}
