import AuthCore

/// An ID token or a session cookie that was read and not checked: good for finding its scope, and for nothing else.
public struct UncheckedIDToken: Sendable {
  public let text: String
  let header: JSONValue
  let claims: JSONValue
  /// Header, period and payload as they were sent.
  let signedPart: ArraySlice<UInt8>
  let signature: [UInt8]

  /// No larger token is read, or given.
  static let maximumBytes = 64 << 10

  /// Reads a token; nil if it has not three parts of base64url, the first two JSON objects without members of one
  /// name.
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

  /// The tenant that it names.
  public var tenant: String? { claims["firebase"]?["tenant"]?.stringValue }
}
