public import AuthValues

/// The part of a request's JSON that does not have the declared shape, from which Google's sentence is made.
public struct PayloadFault: Sendable, Hashable {
  /// The kind of the fault.
  public enum Kind: Sendable, Hashable {
    /// A value is not of the named type, such as `TYPE_STRING`.
    case type(String, JSONValue)
    /// No field has the name.
    case unknownName
    /// The body is no object.
    case root
  }

  /// The place as a JSON pointer (RFC 6901), such as `/mfa/enrollments/0`.
  public let path: String
  /// The kind of the fault.
  public let kind: Kind

  /// Describes a fault.
  public init(path: String, _ kind: Kind) {
    self.path = path
    self.kind = kind
  }

  /// The place as Google writes it: `mfa.enrollments[0]`, in snake_case.
  public var field: String {
    path.split(separator: "/").reduce(into: "") { field, name in
      if Int(name) != nil {
        field += "[\(name)]"
      } else {
        field += (field.isEmpty ? "" : ".") + name.snakeCased
      }
    }
  }

  /// Google's sentence.
  public var sentence: String {
    switch kind {
    case .root: return Self.unknown("", in: "", "Root element must be a message.")
    case .unknownName: return unknown("Cannot find field.")
    case .type(let type, .array) where type != Self.list:
      return unknown("Proto field is not repeating, cannot start list.")
    case .type(let type, .object) where type != Self.list && type.hasPrefix("TYPE_"):
      return "Invalid value at '\(field)' (\(type)), Starting an object on a scalar field"
    case .type(let type, let value):
      return "Invalid value at '\(field)' (\(type)), \(Self.shown(value))"
    }
  }

  /// The name of the type of a list.
  static let list = "TYPE_REPEATED"

  private func unknown(_ reason: String) -> String {
    let names = path.split(separator: "/")
    let parent = PayloadFault(path: names.dropLast().joined(separator: "/"), kind).field
    return Self.unknown(String(names.last ?? ""), in: parent, reason)
  }

  private static func unknown(_ name: String, in parent: String, _ reason: String) -> String {
    let place = parent.isEmpty ? "" : " at '\(parent)'"
    return "Invalid JSON payload received. Unknown name \"\(name)\"\(place): \(reason)"
  }

  /// The value as JSON, cut at a length that fits a message.
  private static func shown(_ value: JSONValue) -> String {
    let text = value.text
    return text.count <= 200 ? text : text.prefix(200) + "…"
  }
}

extension StringProtocol {
  /// The name in snake_case.
  fileprivate var snakeCased: String {
    reduce(into: "") { text, letter in
      if letter.isUppercase { text += text.isEmpty ? "" : "_" }
      text += letter.lowercased()
    }
  }
}

extension WireError {
  /// Returns the error for a value of another type than the declared one.
  public static func mistyped(
    _ path: String, _ type: PayloadType, _ value: JSONValue
  ) -> WireError {
    var error = invalidPayload("\(path) must be \(type.rawValue)")
    error.fault = PayloadFault(path: path, .type(type.google, value))
    return error
  }

  /// Returns the error for a body that is no object.
  public static var rootIsNoObject: WireError {
    var error = invalidPayload("/ must be object")
    error.fault = PayloadFault(path: "", .root)
    return error
  }

  /// Returns the error for a field that the operation does not have.
  public static func unknownName(_ path: String) -> WireError {
    let fault = PayloadFault(path: path, .unknownName)
    var error = WireError(
      status: 400, message: fault.sentence, canonicalStatus: "INVALID_ARGUMENT",
      reason: "badRequest")
    error.fault = fault
    return error
  }

  /// Returns the error for a text that is none of an enumeration's names.
  public static func unknownChoice(
    _ path: String, of type: String, _ value: String, names: [String]
  ) -> WireError {
    var error = invalidPayload(
      "\(path) must be equal to one of the allowed values: \(names.joined(separator: ","))")
    error.fault = PayloadFault(
      path: path,
      .type("type.googleapis.com/google.cloud.identitytoolkit.\(type)", .string(value)))
    return error
  }

  /// The error in Google's words: its sentence for a fault of the body, with the field in `details`.
  public var inGooglesWords: WireError {
    guard let fault else { return self }
    var error = self
    error.message = fault.sentence
    error.details = [
      [
        "@type": "type.googleapis.com/google.rpc.BadRequest",
        "fieldViolations": [
          ["field": .string(fault.field), "description": .string(fault.sentence)]
        ],
      ]
    ]
    return error
  }
}

/// The declared type of a field.
public enum PayloadType: String, Sendable {
  /// A text, a flag, a whole number, a number, an enumeration's name, a list, an object.
  case string, boolean, integer, number, choice = "enum value", array, object

  var google: String {
    switch self {
    case .string: "TYPE_STRING"
    case .boolean: "TYPE_BOOL"
    case .integer: "TYPE_INT64"
    case .number: "TYPE_DOUBLE"
    case .choice: "TYPE_ENUM"
    case .array: PayloadFault.list
    case .object: "TYPE_MESSAGE"
    }
  }
}
