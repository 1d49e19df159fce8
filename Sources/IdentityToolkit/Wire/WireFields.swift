public import AuthValues

/// The fields of a request, read leniently as Firebase's servers do.
///
/// Names come in snake_case or camelCase; a number is taken where text is declared, and text of digits where
/// a number is. A field of another type is refused with its path, and so is null where a text, a list or an
/// object is due: it must not mean "none of them". A flag or a number that is null counts as not sent.
public struct WireFields: Sendable, Hashable {
  public let members: [String: JSONValue]
  private let path: String

  /// Takes a request's body, whose keys become camelCase at every depth unless they are data.
  public init(_ body: JSONValue, path: String = "") throws(WireError) {
    guard case .object(let members) = body else {
      throw .invalidPayload("\(path.isEmpty ? "/" : path) must be object")
    }
    // Most bodies have no snake_case, and need not be made anew.
    let hasUnderscores = members.keys.contains { $0.utf8.contains(UInt8(ascii: "_")) }
    self.members =
      hasUnderscores
      ? Dictionary(
        members.map { ($0.key.camelCased, $0.value) }, uniquingKeysWith: { first, _ in first })
      : members
    self.path = path
  }

  /// Takes parameters that are text already, such as those of a query.
  public init(texts: [String: String]) {
    members = Dictionary(
      texts.map { ($0.key.camelCased, JSONValue.string($0.value)) },
      uniquingKeysWith: { first, _ in first })
    path = ""
  }

  /// Whether the key was sent at all, even as null.
  public func has(_ name: String) -> Bool { members[name] != nil }

  /// The fields that may be null, and then count as not sent.
  ///
  /// JavaScript's `updateProfile(user, { displayName: null })` sends the null on, and Firebase leaves the name.
  public static let nullable: Set<String> = ["displayName", "photoUrl"]

  /// The field as it was sent; nil if it was not, or is a null that counts as that.
  private func sent(_ name: String) -> JSONValue? {
    let value = members[name]
    return value == .null && Self.nullable.contains(name) ? nil : value
  }

  /// A text; nil if it was not sent.
  public func text(_ name: String) throws(WireError) -> String? {
    switch sent(name) {
    case nil: nil
    case .string(let text)?: text
    case .integer(let number)?: String(number)
    case .number(let number)?: "\(number)"
    default: throw mistyped(name, "string")
    }
  }

  /// A text that is not empty.
  public func filled(_ name: String) throws(WireError) -> String? {
    let text = try text(name)
    return text?.isEmpty == true ? nil : text
  }

  public func bool(_ name: String) throws(WireError) -> Bool? {
    switch members[name] {
    case nil, .null?: nil
    case .bool(let value)?: value
    case .string("true")?: true
    case .string("false")?: false
    default: throw mistyped(name, "boolean")
    }
  }

  public func integer(_ name: String) throws(WireError) -> Int64? {
    switch members[name] {
    case nil, .null?: return nil
    case .integer(let number)?: return number
    case .number(let number)?:
      guard let whole = Int64(exactly: number) else { throw mistyped(name, "integer") }
      return whole
    case .string(let text)?:
      guard let number = Int64(text) else { throw mistyped(name, "integer") }
      return number
    default: throw mistyped(name, "integer")
    }
  }

  /// A list; nil if it was not sent.
  public func list(_ name: String) throws(WireError) -> [JSONValue]? {
    switch sent(name) {
    case nil: nil
    case .array(let values)?: values
    default: throw mistyped(name, "array")
    }
  }

  /// A list of texts.
  public func texts(_ name: String) throws(WireError) -> [String]? {
    guard let values = try list(name) else { return nil }
    var texts: [String] = []
    for (index, value) in values.enumerated() {
      switch value {
      case .string(let text): texts.append(text)
      case .integer(let number): texts.append(String(number))
      default: throw mistyped("\(name)/\(index)", "string")
      }
    }
    return texts
  }

  /// A list of objects.
  public func objects(_ name: String) throws(WireError) -> [WireFields]? {
    guard let values = try list(name) else { return nil }
    var objects: [WireFields] = []
    for (index, value) in values.enumerated() {
      objects.append(try WireFields(value, path: "\(path)/\(name)/\(index)"))
    }
    return objects
  }

  /// An object; nil if it was not sent.
  public func object(_ name: String) throws(WireError) -> WireFields? {
    switch sent(name) {
    case nil: nil
    case let value?: try WireFields(value, path: "\(path)/\(name)")
    }
  }

  /// An enum's value: its name, or its number in the order of the protocol buffer's declaration.
  public func choice(_ name: String, _ names: [String]) throws(WireError) -> String? {
    switch sent(name) {
    case nil: return nil
    case .string(let text)?: return text
    case .integer(let number)?:
      guard names.indices.contains(Int(number)) else { throw mistyped(name, "enum value") }
      return names[Int(number)]
    default: throw mistyped(name, "string")
    }
  }

  /// The field's JSON, whatever it is; nil where it was not sent or is null.
  public func value(_ name: String) -> JSONValue? {
    members[name].flatMap { $0 == .null ? nil : $0 }
  }

  private func mistyped(_ name: String, _ type: String) -> WireError {
    .invalidPayload("\(path)/\(name) must be \(type)")
  }
}
