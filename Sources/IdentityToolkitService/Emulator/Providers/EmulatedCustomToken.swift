import AuthCore
import BuiltInProviders
import IdentityToolkit

/// A custom token as the emulator reads it: any JWT, whatever its signature, or a JSON object.
struct EmulatedCustomToken: Sendable {
  let uid: String
  let claims: [String: JSONValue]

  /// Decodes a token.
  ///
  /// The error messages are the emulator's own.
  init(_ text: String, tenant: String?) throws(WireError) {
    let payload = try Self.payload(text, tenant)
    guard let uid = payload["uid"]?.primitiveText ?? payload["user_id"]?.primitiveText,
      !uid.isEmpty
    else { throw WireError("MISSING_IDENTIFIER") }
    self.uid = uid
    claims = try payload["claims"].map(WireClaims.members) ?? [:]
  }

  private static func payload(_ text: String, _ tenant: String?) throws(WireError) -> JSONValue {
    if text.hasPrefix("{") {
      guard let claims = try? JSONValue(strict: Array(text.utf8)) else {
        throw WireError(
          "INVALID_CUSTOM_TOKEN",
          "((Auth Emulator only accepts strict JSON or JWTs as fake custom tokens.))")
      }
      return claims
    }
    let payload = UnsignedToken.payload(of: text)
    if let tenant, payload?["tenant_id"]?.stringValue != tenant {
      throw WireError("TENANT_ID_MISMATCH")
    }
    guard let payload else {
      throw WireError("INVALID_CUSTOM_TOKEN", "Invalid assertion format")
    }
    let audience = payload["aud"]
    guard audience?.stringValue == CustomTokenIssuer.audience else {
      let named = audience.map { $0.stringValue ?? $0.text } ?? "undefined"
      throw WireError(
        "INVALID_CUSTOM_TOKEN",
        "((Invalid aud (audience): \(named). Note: Firebase ID Tokens / third-party tokens cannot be "
          + "used with customToken.))")
    }
    return payload
  }
}

/// Reads tokens without a check of their signatures.
enum UnsignedToken {
  /// Returns the claims of a JWT with three parts, or nil for any other text.
  static func payload(of token: String) -> JSONValue? {
    guard let parts = TokenParts(token), TokenParts.object(parts.header) != nil else { return nil }
    return TokenParts.object(parts.payload)
  }
}

extension JSONValue {
  /// A text, a number or a Boolean as JavaScript writes it; nil for any other value.
  fileprivate var primitiveText: String? {
    switch self {
    case .string(let text): text
    case .integer(let number): String(number)
    case .number(let number): "\(number)"
    case .bool(let value): value ? "true" : "false"
    case .null, .array, .object: nil
    }
  }
}
