import AuthCore

/// An ID token or a session cookie that was parsed and not verified.
///
/// Use it only to find the token's scope.
public struct UncheckedIDToken: Sendable {
  /// The token.
  public let text: String
  let header: JSONValue
  let claims: JSONValue
  let parts: CompactToken

  /// The maximum size of a token in bytes, for issuing and reading.
  static let maximumBytes = 64 << 10

  /// Parses a token; nil unless it has three parts in base64url, of which the first two are JSON objects without
  /// duplicate members.
  public init?(_ text: String) {
    guard let parts = CompactToken(text, maximumBytes: Self.maximumBytes),
      let header = parts.headerMembers, let claims = parts.claims
    else { return nil }
    self.text = text
    self.header = header
    self.claims = claims
    self.parts = parts
  }

  /// The tenant that the token names, if any.
  public var tenant: String? { claims["firebase"]?["tenant"]?.stringValue }
}
