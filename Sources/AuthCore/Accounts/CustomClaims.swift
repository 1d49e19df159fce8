/// The claims that an admin gave an account, kept as the JSON text that was given.
public struct CustomClaims: Hashable, Sendable {
  /// The JSON object as text, within `TextBounds.claims` unless it was stored before there were bounds.
  public let text: String
  /// The members of the object.
  public let members: [String: JSONValue]

  /// The names that tokens use themselves; Firebase reserves the same ones.
  public static let reserved: Set<String> = [
    "iss", "aud", "sub", "iat", "exp", "nbf", "jti", "nonce", "azp", "acr", "amr", "cnf",
    "auth_time", "firebase", "at_hash", "c_hash",
  ]

  /// Reads claims from JSON text, or throws `invalid-claims`, `claims-too-large` or `reserved-claims`.
  public init(text: String) throws(AuthError) {
    guard TextBounds.claims.allow(text) else {
      throw AuthError(
        .claimsTooLarge, "Custom claims have at most \(TextBounds.claims).", field: "customClaims",
        remedy: "Keep large data elsewhere and put its key in the claims.")
    }
    guard case .object(let members)? = try? JSONValue(text: text) else {
      throw AuthError(
        .invalidClaims, "Custom claims are one JSON object.", field: "customClaims",
        remedy: "Give a table of names and values, such as { role = \"editor\" }.")
    }
    if let name = members.keys.sorted().first(where: Self.reserved.contains) {
      throw AuthError(
        .reservedClaims, "The claim \"\(name)\" is reserved for tokens.",
        field: "customClaims.\(name)",
        remedy: "Choose another name.")
    }
    self.text = text
    self.members = members
  }

  /// Reads claims from a store, of any length; throws if they are not a JSON object.
  package init(stored text: String) throws {
    guard case .object(let members) = try JSONValue(text: text) else {
      throw AuthError(.invalidClaims, "The stored claims are no JSON object.")
    }
    self.text = text
    self.members = members
  }

  /// Makes claims from members; throws like ``init(text:)``.
  public init(_ members: [String: JSONValue]) throws(AuthError) {
    try self.init(text: JSONValue.object(members).text)
  }
}

extension CustomClaims: Codable {
  /// Reads claims from a store, of any length.
  public init(from decoder: any Decoder) throws {
    try self.init(stored: try decoder.singleValueContainer().decode(String.self))
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(text)
  }
}
