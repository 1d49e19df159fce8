import AuthCore

/// An ID token that was read, and that nobody has checked: good for finding its scope, and for nothing else.
public struct UncheckedIDToken: Sendable {
  public let text: String
  let compact: CompactToken

  /// Reads a token; nil where it is none.
  public init?(_ text: String) {
    guard let compact = CompactToken(text) else { return nil }
    self.text = text
    self.compact = compact
  }

  /// The tenant that it names.
  public var tenant: String? { compact.claims["firebase"]?["tenant"]?.stringValue }
}
