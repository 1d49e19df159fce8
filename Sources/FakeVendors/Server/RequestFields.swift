import AuthCore

/// The names and values of a query, a form or a head, in their original order.
public struct RequestFields: Hashable, Sendable {
  /// One name and its value.
  public struct Field: Hashable, Sendable {
    /// The name.
    public let name: String
    /// The value.
    public let value: String

    /// Makes a field.
    public init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  /// All fields, in order.
  public let fields: [Field]

  /// Makes fields from a list.
  public init(_ fields: [Field] = []) {
    self.fields = fields
  }

  /// Reads `application/x-www-form-urlencoded` text; an invalid escape is kept as it is.
  public init(parsing text: String) {
    fields = URLText.fields(of: text).map { Field($0.name, $0.value) }
  }

  /// The first value of a name; names are compared exactly.
  public subscript(name: String) -> String? { fields.first { $0.name == name }?.value }

  /// Every value of a name, in order.
  public func values(of name: String) -> [String] {
    fields.filter { $0.name == name }.map(\.value)
  }

  /// The name of every field, in order.
  public var names: [String] { fields.map(\.name) }
  /// True if there is no field.
  public var isEmpty: Bool { fields.isEmpty }

  /// The first repeated name, which RFC 6749, 3.1 forbids.
  var repeatedName: String? {
    var seen: Set<String> = []
    return names.first { !seen.insert($0).inserted }
  }
}
