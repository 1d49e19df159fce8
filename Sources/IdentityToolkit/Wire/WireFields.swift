public import AuthValues

/// The fields of a request, read as leniently as Firebase's servers do.
///
/// Names may be snake_case or camelCase. A number is accepted for a declared text, and a text of digits for a number.
/// A field of another type is refused with its path. So is null for a text, a list or an object, because it must not
/// mean "none". A flag or a number that is null counts as not sent.
public struct WireFields: Sendable, Hashable {
  /// The members of the object, with their names in camelCase.
  public let members: [String: JSONValue]
  private let path: String

  /// Reads a request's body.
  ///
  /// Its keys become camelCase at every depth unless they are data.
  public init(_ body: JSONValue, path: String = "") throws(WireError) {
    guard case .object(let members) = body else {
      throw path.isEmpty ? .rootIsNoObject : .mistyped(path, .object, body)
    }
    // Most bodies have no snake_case and need no copy.
    let hasUnderscores = members.keys.contains { $0.utf8.contains(UInt8(ascii: "_")) }
    self.members =
      hasUnderscores
      ? Dictionary(
        members.map { ($0.key.camelCased, $0.value) }, uniquingKeysWith: { first, _ in first })
      : members
    self.path = path
  }

  /// Reads parameters that are texts already, such as those of a query.
  public init(texts: [String: String]) {
    members = Dictionary(
      texts.map { ($0.key.camelCased, JSONValue.string($0.value)) },
      uniquingKeysWith: { first, _ in first })
    path = ""
  }

  /// Returns true if the key was sent, even with null.
  public func has(_ name: String) -> Bool { members[name] != nil }

  /// The fields that may be null, which then count as not sent.
  ///
  /// JavaScript's `updateProfile(user, { displayName: null })` sends the null, and Firebase keeps the name.
  public static let nullable: Set<String> = ["displayName", "photoUrl"]

  /// Returns the field as it was sent; nil if it was not, or if its null counts as that.
  private func sent(_ name: String) -> JSONValue? {
    let value = members[name]
    return value == .null && Self.nullable.contains(name) ? nil : value
  }

  /// Returns a text; nil if it was not sent.
  public func text(_ name: String) throws(WireError) -> String? {
    switch sent(name) {
    case nil: nil
    case .string(let text)?: text
    case .integer(let number)?: String(number)
    case .number(let number)?: "\(number)"
    default: throw mistyped(name, .string)
    }
  }

  /// Returns a text; nil if it was not sent or is empty.
  public func filled(_ name: String) throws(WireError) -> String? {
    let text = try text(name)
    return text?.isEmpty == true ? nil : text
  }

  /// Returns a flag; nil if it was not sent or is null.
  public func bool(_ name: String) throws(WireError) -> Bool? {
    switch members[name] {
    case nil, .null?: nil
    case .bool(let value)?: value
    case .string("true")?: true
    case .string("false")?: false
    default: throw mistyped(name, .boolean)
    }
  }

  /// Returns a whole number; nil if it was not sent or is null.
  public func integer(_ name: String) throws(WireError) -> Int64? {
    switch members[name] {
    case nil, .null?: return nil
    case .integer(let number)?: return number
    case .number(let number)?:
      guard let whole = Int64(exactly: number) else { throw mistyped(name, .integer) }
      return whole
    case .string(let text)?:
      guard let number = Int64(text) else { throw mistyped(name, .integer) }
      return number
    default: throw mistyped(name, .integer)
    }
  }

  /// Returns a number, whole or not; nil if it was not sent or is null.
  public func number(_ name: String) throws(WireError) -> Double? {
    switch members[name] {
    case nil, .null?: return nil
    case .integer(let number)?: return Double(number)
    case .number(let number)?: return number
    case .string(let text)?:
      guard let number = Double(text), number.isFinite else { throw mistyped(name, .number) }
      return number
    default: throw mistyped(name, .number)
    }
  }

  /// Returns a list; nil if it was not sent.
  public func list(_ name: String) throws(WireError) -> [JSONValue]? {
    switch sent(name) {
    case nil: nil
    case .array(let values)?: values
    default: throw mistyped(name, .array)
    }
  }

  /// Returns a list of texts; nil if it was not sent.
  public func texts(_ name: String) throws(WireError) -> [String]? {
    guard let values = try list(name) else { return nil }
    var texts: [String] = []
    for (index, value) in values.enumerated() {
      switch value {
      case .string(let text): texts.append(text)
      case .integer(let number): texts.append(String(number))
      default: throw .mistyped("\(path)/\(name)/\(index)", .string, value)
      }
    }
    return texts
  }

  /// Returns a list of objects; nil if it was not sent.
  public func objects(_ name: String) throws(WireError) -> [WireFields]? {
    guard let values = try list(name) else { return nil }
    var objects: [WireFields] = []
    for (index, value) in values.enumerated() {
      objects.append(try WireFields(value, path: "\(path)/\(name)/\(index)"))
    }
    return objects
  }

  /// Returns an object; nil if it was not sent.
  public func object(_ name: String) throws(WireError) -> WireFields? {
    switch sent(name) {
    case nil: nil
    case let value?: try WireFields(value, path: "\(path)/\(name)")
    }
  }

  /// Returns an enum's value, sent as its name or as its number in the order of the protocol buffer's declaration.
  public func choice(_ name: String, _ names: [String]) throws(WireError) -> String? {
    switch sent(name) {
    case nil: return nil
    case .string(let text)?: return text
    case .integer(let number)?:
      guard names.indices.contains(Int(number)) else { throw mistyped(name, .choice) }
      return names[Int(number)]
    default: throw mistyped(name, .string)
    }
  }

  /// Returns the field's JSON, whatever its type; nil if it was not sent or is null.
  public func value(_ name: String) -> JSONValue? {
    members[name].flatMap { $0 == .null ? nil : $0 }
  }

  /// Returns the place of a field as a JSON pointer.
  public func place(of name: String) -> String { "\(path)/\(name)" }

  private func mistyped(_ name: String, _ type: PayloadType) -> WireError {
    .mistyped(place(of: name), type, members[name] ?? .null)
  }
}
