/// The data of a Lua table as a Swift value: a list, named fields, or both.
public struct LuaTable: Sendable, Equatable {
  /// The elements at 1, 2, 3 and so on in Lua.
  public var array: [LuaValue]
  /// The named fields; a nil value counts as absent.
  public var fields: [String: LuaValue]

  /// Creates a table from its two parts.
  public init(array: [LuaValue] = [], fields: [String: LuaValue] = [:]) {
    self.array = array
    self.fields = fields
  }

  /// Tells whether the table has neither elements nor fields.
  public var isEmpty: Bool { array.isEmpty && fields.isEmpty }

  /// Reads or writes a field; an absent one is nil.
  public subscript(_ field: String) -> LuaValue {
    get { fields[field] ?? .nil }
    set { fields[field] = newValue.isNil ? nil : newValue }
  }

  /// Reads an element, counting from 1 as Lua does.
  public subscript(_ index: Int) -> LuaValue {
    array.indices.contains(index - 1) ? array[index - 1] : .nil
  }
}
