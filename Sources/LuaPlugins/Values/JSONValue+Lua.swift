public import AuthCore
public import LuaRuntime

extension JSONValue {
  /// The value in Lua; a JSON null is `json.null`.
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

  /// The value in Lua without null members, so that `a.b or c` works; null itself is nil.
  ///
  /// The elements of a list keep their positions.
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

  /// The value in Lua without any null, for scripts in which an empty value means a missing one.
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

  /// Converts a Lua value; nil if JSON cannot express it: functions, host objects, bytes that are not text.
  ///
  /// A table with a first element is a list, any other table an object; a mixture of both is refused.
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
