/// The behaviour of host objects of one type.
///
/// The closures run on the owner of the state. They may return `.yield` to wait.
public struct LuaObjectType {
  /// The name of the type in `LuaObject.type` and in messages.
  public var name: String
  /// The fields for completion and suggestions.
  public var fields: [String]
  /// The object types of fields, for completion of what follows a field.
  public var fieldTypes: [String: String]
  /// Reads a field; nil means that no field has that name.
  public var get: ((LuaCall, LuaObject, String) throws -> LuaOutcome?)?
  /// The methods; their first argument is the object.
  public var methods: [String: (LuaCall) throws -> LuaOutcome] = [:]
  /// Writes a field.
  public var set: ((LuaCall, LuaObject, String, LuaValue) throws -> Void)?
  /// The reason why fields cannot be written, used if there is no `set`.
  public var refusesSet: String?
  /// Makes the text for `tostring` and descriptions.
  public var describe: ((LuaObject) -> String)?
  /// The reason why a script cannot make a text of an object, for which `tostring` and `string.format` fail.
  ///
  /// Descriptions for people still use `describe`.
  public var refusesText: String?
  /// True if `describe` returns several lines.
  ///
  /// Otherwise line ends and other control characters in its text become escapes.
  public var describesInLines = false
  /// Reads an element by its number, from 1; nil in Lua for a number that the object does not have.
  public var element: ((LuaObject, Int) -> LuaValue)?
  /// Returns the result of the length operator.
  public var length: ((LuaObject) -> Int)?
  /// Lists the entries for `pairs`.
  public var items: ((LuaObject) -> [(LuaValue, LuaValue)])?

  /// Creates a type without behaviour.
  public init(name: String, fields: [String] = [], fieldTypes: [String: String] = [:]) {
    self.name = name
    self.fields = fields
    self.fieldTypes = fieldTypes
  }

  /// Adds a method.
  public mutating func method(
    _ name: String, _ body: @escaping (LuaCall) throws -> [LuaValue]
  ) {
    methods[name] = { .values(try body($0)) }
  }

  /// Adds a method that `run` awaits; the first argument is the object.
  public mutating func asyncMethod(
    _ name: String, _ body: @escaping @Sendable ([LuaValue]) async throws -> [LuaValue]
  ) {
    methods[name] = { $0.waiting(body) }
  }
}

/// Describes a fixed set of functions and values under one name, such as `accounts`.
///
/// Unlike a table, it is fixed: reading an unknown name is an error that suggests the nearest one, and no value can be
/// replaced.
public struct LuaLibrary {
  /// The name in messages; use the name of the global.
  public var name: String
  /// Reads a dynamic key, as in `providers["google.com"]`; nil means that there is none.
  public var get: ((LuaCall, String) throws -> LuaOutcome?)?
  /// Lists dynamic keys for completion and suggestions.
  public var keys: (() -> [String])?
  /// The object type of dynamic keys.
  public var keyTypes: String?
  /// Lists the entries for `pairs`.
  public var items: (() -> [(LuaValue, LuaValue)])?
  /// The text that describes the library, in place of the default.
  public var describe: String?
  var functions: [String: (LuaCall) throws -> LuaOutcome] = [:]
  var values: [String: LuaValue] = [:]

  /// Creates an empty library.
  public init(name: String) { self.name = name }

  /// Adds a function.
  public mutating func function(
    _ name: String, _ body: @escaping (LuaCall) throws -> [LuaValue]
  ) {
    functions[name] = { .values(try body($0)) }
  }

  /// Adds a function that `run` awaits.
  public mutating func asyncFunction(
    _ name: String, _ body: @escaping @Sendable ([LuaValue]) async throws -> [LuaValue]
  ) {
    functions[name] = { $0.waiting(body) }
  }

  /// Adds a value.
  public mutating func value(_ name: String, _ value: LuaValue) { values[name] = value }
}
