/// A value that passes between Swift and Lua.
///
/// Tables are copied (`table`) or stay in Lua (`reference`). A string that is not UTF-8 arrives unchanged as `bytes`.
public enum LuaValue: Sendable {
  /// The absence of a value.
  case `nil`
  /// The value of `json.null`.
  case null
  /// True or false.
  case bool(Bool)
  /// A whole number.
  case integer(Int64)
  /// A number with a fraction.
  case number(Double)
  /// A string that is valid UTF-8.
  case string(String)
  /// A string that is not valid UTF-8.
  case bytes([UInt8])
  /// The copy of a table.
  case table(LuaTable)
  /// A function.
  case function(LuaFunction)
  /// An object of the host.
  case object(LuaObject)
  /// A reference to any value in Lua.
  case reference(LuaReference)
}

extension LuaValue {
  /// Tells whether the value is nil.
  public var isNil: Bool { if case .nil = self { true } else { false } }

  /// Tells whether `if` treats the value as true: all values but nil and false.
  public var isTruthy: Bool {
    switch self {
    case .nil, .bool(false): false
    default: true
    }
  }

  /// The boolean, if the value is one.
  public var boolValue: Bool? { if case .bool(let value) = self { value } else { nil } }

  /// The integer, or the number if it has no fraction.
  public var integerValue: Int64? {
    switch self {
    case .integer(let value): value
    case .number(let value): Int64(exactly: value)
    default: nil
    }
  }

  /// The number, if the value is one.
  public var numberValue: Double? {
    switch self {
    case .integer(let value): Double(value)
    case .number(let value): value
    default: nil
    }
  }

  /// The text, if the value is a valid UTF-8 string.
  public var stringValue: String? { if case .string(let value) = self { value } else { nil } }

  /// The bytes of any string.
  public var bytesValue: [UInt8]? {
    switch self {
    case .string(let value): Array(value.utf8)
    case .bytes(let value): value
    default: nil
    }
  }

  /// The copied table, if the value is one.
  public var tableValue: LuaTable? { if case .table(let value) = self { value } else { nil } }

  /// The function, if the value is one.
  public var functionValue: LuaFunction? {
    if case .function(let value) = self { value } else { nil }
  }

  /// The host object, if the value is one.
  public var objectValue: LuaObject? { if case .object(let value) = self { value } else { nil } }

  /// The reference, also that of a function.
  public var referenceValue: LuaReference? {
    switch self {
    case .reference(let value): value
    case .function(let value): value.reference
    default: nil
    }
  }

  /// The type as Lua's `type` names it.
  public var typeName: String {
    switch self {
    case .nil: "nil"
    case .bool: "boolean"
    case .integer, .number: "number"
    case .string, .bytes: "string"
    case .table: "table"
    case .function: "function"
    case .object, .null: "userdata"
    case .reference(let reference): reference.typeName
    }
  }
}

// Equality is Swift's: host objects are never equal, references by identity.
extension LuaValue: Equatable {
  /// Compares two values.
  public static func == (a: LuaValue, b: LuaValue) -> Bool {
    switch (a, b) {
    case (.nil, .nil), (.null, .null): true
    case (.bool(let a), .bool(let b)): a == b
    case (.integer(let a), .integer(let b)): a == b
    case (.number(let a), .number(let b)): a == b
    case (.string(let a), .string(let b)): a == b
    case (.bytes(let a), .bytes(let b)): a == b
    case (.table(let a), .table(let b)): a == b
    case (.function(let a), .function(let b)): a == b
    case (.reference(let a), .reference(let b)): a == b
    default: false
    }
  }
}

extension LuaValue: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral,
  ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral, ExpressibleByStringLiteral,
  ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  /// Makes nil.
  public init(nilLiteral: ()) { self = .nil }
  /// Makes a boolean.
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  /// Makes a whole number.
  public init(integerLiteral value: Int64) { self = .integer(value) }
  /// Makes a number.
  public init(floatLiteral value: Double) { self = .number(value) }
  /// Makes a string.
  public init(stringLiteral value: String) { self = .string(value) }
  /// Makes a list.
  public init(arrayLiteral elements: LuaValue...) { self = .table(LuaTable(array: elements)) }
  /// Makes a table of named fields; of equal names the last wins.
  public init(dictionaryLiteral elements: (String, LuaValue)...) {
    self = .table(LuaTable(fields: Dictionary(elements) { _, last in last }))
  }
}
