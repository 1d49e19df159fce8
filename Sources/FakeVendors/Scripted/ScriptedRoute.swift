public import AuthCore

/// Describes an answer of a vendor's own, beside the standard endpoints, to whoever brings a good access token.
///
/// Texts in the JSON may name what is known of the token's person: `{subject}`, `{email}`, `{emailVerified}`,
/// `{name}`, `{picture}`, and their further claims by name. A text that is nothing but a placeholder becomes the
/// value itself, of its own type, and null where nothing is known; `{{` is a brace.
public struct ScriptedRoute: Hashable, Sendable {
  public let method: String
  public let path: String
  public let status: Int
  public let headers: [RequestFields.Field]
  /// Nil for an answer without a body.
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

  /// What the route says of a person.
  func response(for person: FakePerson) -> VendorResponse {
    guard let json else { return VendorResponse(status: status, headers: headers) }
    let values = Placeholders.values(of: person)
    var response = VendorResponse.json(Placeholders.fill(json, with: values), status: status)
    let named = Set(headers.map { $0.name.lowercased() })
    response.headers = response.headers.filter { !named.contains($0.name.lowercased()) } + headers
    return response
  }
}
