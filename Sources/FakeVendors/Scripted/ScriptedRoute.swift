public import AuthCore

/// A vendor's own answer, beside the standard endpoints, to requests with a valid access token.
///
/// Texts in the JSON may have placeholders for the token's person: `{subject}`, `{email}`, `{emailVerified}`,
/// `{name}`, `{picture}`, and further claims by name. A text that is a single placeholder becomes the value itself,
/// with its own type, and null for an unknown value; `{{` is a brace.
public struct ScriptedRoute: Hashable, Sendable {
  /// The HTTP method.
  public let method: String
  /// The path, without a query.
  public let path: String
  /// The HTTP status of the answer.
  public let status: Int
  /// The header fields of the answer.
  public let headers: [RequestFields.Field]
  /// The body; nil for an answer without one.
  public let json: JSONValue?

  /// Makes a route; its JSON is taken as it is, placeholders included.
  public init(
    _ method: String, _ path: String, status: Int = 200, headers: [RequestFields.Field] = [],
    json: JSONValue? = nil
  ) {
    self.method = method
    self.path = path
    self.status = status
    self.headers = headers
    self.json = json
  }

  /// The method and the path, as a script writes them.
  public var name: String { "\(method) \(path)" }

  /// The answer for a person.
  func response(for person: FakePerson) -> VendorResponse {
    guard let json else { return VendorResponse(status: status, headers: headers) }
    let values = Placeholders.values(of: person)
    var response = VendorResponse.json(Placeholders.fill(json, with: values), status: status)
    let named = Set(headers.map { $0.name.lowercased() })
    response.headers = response.headers.filter { !named.contains($0.name.lowercased()) } + headers
    return response
  }
}
