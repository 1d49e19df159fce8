import AuthCore

/// The issuer and key ID of an unverified token, read only to choose the key that has to verify it.
struct UnverifiedToken: Sendable {
  let issuer: String
  let keyID: String?

  /// Reads header and claims; nil if they are not JSON or name no issuer.
  init?(_ token: String) {
    guard token.utf8.count <= 16 * 1024, let parts = TokenParts(token),
      let header = Self.json(parts.header), let claims = Self.json(parts.payload),
      let issuer = claims["iss"]?.stringValue, !issuer.isEmpty
    else { return nil }
    self.issuer = issuer
    keyID = header["kid"]?.stringValue
  }

  private static func json(_ part: ArraySlice<UInt8>) -> JSONValue? {
    Base64.url.bytes(of: part).flatMap {
      try? JSONValue(text: String(decoding: $0, as: UTF8.self))
    }
  }
}
