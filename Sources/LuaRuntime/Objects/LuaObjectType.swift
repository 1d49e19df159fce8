/// Describes what scripts may do with host objects of one kind.
///
/// The closures run on the owner of the state. They may answer `.yield` to wait.
public struct LuaObjectType {
  /// Names the type in `LuaObject.type` and in messages.
  public var name: String
  /// Lists the fields that complete and are suggested.
  public var fields: [String]
  /// Tells the object type of fields, so that completion can go on behind them.
  public var fieldTypes: [String: String]
  /// Reads a field; nil means that there is none of that name.
  public var get: ((LuaCall, LuaObject, String) throws -> LuaOutcome?)?
  /// Holds the methods; their first argument is the object.
  public var methods: [String: (LuaCall) throws -> LuaOutcome] = [:]
  /// Writes a field.
  public var set: ((LuaCall, LuaObject, String, LuaValue) throws -> Void)?
  /// Says why fields cannot be written, when there is no `set`.
  public var refusesSet: String?
  /// Makes the text for `tostring` and for describing.
  public var describe: ((LuaObject) -> String)?
  /// Tells that `describe` lays its text out in lines of its own; else line ends and other control characters in
  /// it become escapes.
  public var describesInLines = false
  /// Compares two objects of this type.
  public var equals: ((LuaObject, LuaObject) -> Bool)?
  /// Answers the length operator.
  public var length: ((LuaObject) -> Int)?
  /// Lists what `pairs` goes through.
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
/// Unlike a table it knows what it has: reading anything else is an error that suggests the
/// nearest name, and nothing can be replaced.
public struct LuaNamespace {
  /// Names it in messages; the global it is set to should be called the same.
  public var name: String
  /// Reads a dynamic key, such as in `providers["google.com"]`; nil means there is none.
  public var get: ((LuaCall, String) throws -> LuaOutcome?)?
  /// Lists dynamic keys for completion and suggestions.
  public var keys: (() -> [String])?
  /// Tells the object type of dynamic keys.
  public var keyTypes: String?
  /// Lists what `pairs` goes through.
  public var items: (() -> [(LuaValue, LuaValue)])?
  /// Replaces the text that describes it.
  public var describe: String?
  var functions: [String: (LuaCall) throws -> LuaOutcome] = [:]
  var values: [String: LuaValue] = [:]

  /// Creates an empty namespace.
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
