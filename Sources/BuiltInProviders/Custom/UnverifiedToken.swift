import AuthCore

/// What an unverified token says of itself, read only to choose the key that has to verify it.
struct UnverifiedToken: Sendable {
  let issuer: String
  let keyID: String?

  /// Reads header and claims; nil where they are no JSON or name no issuer.
  init?(_ token: String) {
    let parts = token.split(separator: ".", omittingEmptySubsequences: false)
    guard token.utf8.count <= 16 * 1024, parts.count == 3,
      let header = Self.json(parts[0]), let claims = Self.json(parts[1]),
      let issuer = claims["iss"]?.stringValue, !issuer.isEmpty
    else { return nil }
    self.issuer = issuer
    keyID = header["kid"]?.stringValue
  }

  private static func json(_ part: Substring) -> JSONValue? {
    Base64URL.bytes(of: part.utf8).flatMap {
      try? JSONValue(text: String(decoding: $0, as: UTF8.self))
    }
  }
}
