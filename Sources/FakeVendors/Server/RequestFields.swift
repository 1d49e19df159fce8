import AuthCore

/// Holds the names and values of a query, a form or a head, in the order in which they came.
public struct RequestFields: Hashable, Sendable {
  public struct Field: Hashable, Sendable {
    public let name: String
    public let value: String

    public init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  public let fields: [Field]

  public init(_ fields: [Field] = []) {
    self.fields = fields
  }

  /// Reads `application/x-www-form-urlencoded` text; an escape that is none stays as it stands.
  public init(parsing text: String) {
    fields = URLText.fields(of: text).map { Field($0.name, $0.value) }
  }

  /// The first value of a name; names are compared exactly.
  public subscript(name: String) -> String? { fields.first { $0.name == name }?.value }

  public func values(of name: String) -> [String] {
    fields.filter { $0.name == name }.map(\.value)
  }

  public var names: [String] { fields.map(\.name) }
  public var isEmpty: Bool { fields.isEmpty }

  /// The first name that stands there more than once, which RFC 6749, 3.1 forbids.
  var repeatedName: String? {
    var seen: Set<String> = []
    return names.first { !seen.insert($0).inserted }
  }
}
