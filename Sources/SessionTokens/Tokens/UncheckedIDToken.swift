import AuthCore

/// An ID token or a session cookie that was parsed and not verified.
///
/// Use it only to find the token's scope.
public struct UncheckedIDToken: Sendable {
  /// The token.
  public let text: String
  let header: JSONValue
  let claims: JSONValue
  /// The header, the period and the payload as they were sent.
  let signedPart: ArraySlice<UInt8>
  let signature: [UInt8]

  /// The maximum size of a token in bytes, for issuing and reading.
  static let maximumBytes = 64 << 10

  /// Parses a token; nil unless it has three parts in base64url, of which the first two are JSON objects without
  /// duplicate members.
  public init?(_ text: String) {
    guard text.utf8.count <= Self.maximumBytes, let parts = TokenParts(text),
      let header = TokenParts.object(parts.header), let claims = TokenParts.object(parts.payload),
      let signature = Base64.url.bytes(of: parts.signature)
    else { return nil }
    self.text = text
    self.header = header
    self.claims = claims
    self.signature = signature
    signedPart = parts.signedPart
  }

  /// The tenant that the token names, if any.
  public var tenant: String? { claims["firebase"]?["tenant"]?.stringValue }
}
