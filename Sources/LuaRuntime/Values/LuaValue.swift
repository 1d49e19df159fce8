/// Carries a value between Swift and Lua.
///
/// Tables travel as copies (`table`) or stay in Lua (`reference`). A string that is not UTF-8
/// arrives as `bytes` and loses nothing.
public enum LuaValue: Sendable {
  /// Stands for nothing.
  case `nil`
  /// Stands for `json.null`.
  case null
  /// Holds true or false.
  case bool(Bool)
  /// Holds a whole number.
  case integer(Int64)
  /// Holds a number with a fraction.
  case number(Double)
  /// Holds text that is valid UTF-8.
  case string(String)
  /// Holds a string that is not text.
  case bytes([UInt8])
  /// Holds the copy of a table.
  case table(LuaTable)
  /// Keeps a function.
  case function(LuaFunction)
  /// Holds an object of the host.
  case object(LuaObject)
  /// Keeps any value where it is, in Lua.
  case reference(LuaReference)
}

extension LuaValue {
  /// Tells whether there is nothing.
  public var isNil: Bool { if case .nil = self { true } else { false } }

  /// Tells what `if` would do in Lua: only nil and false are not true.
  public var isTruthy: Bool {
    switch self {
    case .nil, .bool(false): false
    default: true
    }
  }

  /// Holds the boolean, if it is one.
  public var boolValue: Bool? { if case .bool(let value) = self { value } else { nil } }

  /// Holds the integer, also that of a number without fraction.
  public var integerValue: Int64? {
    switch self {
    case .integer(let value): value
    case .number(let value): Int64(exactly: value)
    default: nil
    }
  }

  /// Holds the number, if it is one.
  public var numberValue: Double? {
    switch self {
    case .integer(let value): Double(value)
    case .number(let value): value
    default: nil
    }
  }

  /// Holds the text, if it is valid UTF-8.
  public var stringValue: String? { if case .string(let value) = self { value } else { nil } }

  /// Holds the bytes of any string.
  public var bytesValue: [UInt8]? {
    switch self {
    case .string(let value): Array(value.utf8)
    case .bytes(let value): value
    default: nil
    }
  }

  /// Holds the copied table, if it is one.
  public var tableValue: LuaTable? { if case .table(let value) = self { value } else { nil } }

  /// Holds the function, if it is one.
  public var functionValue: LuaFunction? {
    if case .function(let value) = self { value } else { nil }
  }

  /// Holds the host object, if it is one.
  public var objectValue: LuaObject? { if case .object(let value) = self { value } else { nil } }

  /// Holds the reference, also that of a function.
  public var referenceValue: LuaReference? {
    switch self {
    case .reference(let value): value
    case .function(let value): value.reference
    default: nil
    }
  }

  /// Names the type as Lua's `type` does.
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

/// Compares as Swift does; host objects are never equal here, references by identity.
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
  /// Makes a table of named fields; the last of equal names counts.
  public init(dictionaryLiteral elements: (String, LuaValue)...) {
    self = .table(LuaTable(fields: Dictionary(elements) { _, last in last }))
  }
}
