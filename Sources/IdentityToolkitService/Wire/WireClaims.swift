import AuthCore
import IdentityToolkit

/// Reads custom claims with Firebase's errors, in Firebase's order.
enum WireClaims {
  /// The claim names that tokens use themselves, in the order in which they are checked.
  static let reserved = [
    "iss", "aud", "sub", "iat", "exp", "nbf", "jti", "nonce", "azp", "acr", "amr", "cnf",
    "auth_time", "firebase", "at_hash", "c_hash",
  ]

  /// Reads `customAttributes`: throws `CLAIMS_TOO_LARGE`, `INVALID_CLAIMS` or `FORBIDDEN_CLAIM`.
  static func read(_ text: String) throws -> CustomClaims {
    guard TextBounds.claims.allow(text) else { throw WireError("CLAIMS_TOO_LARGE") }
    guard let value = try? JSONValue(text: text) else { throw WireError("INVALID_CLAIMS") }
    _ = try members(value)
    return try CustomClaims(text: text)
  }

  /// Returns the claims of a token; throws `INVALID_CLAIMS` or `FORBIDDEN_CLAIM`.
  static func members(_ value: JSONValue) throws(WireError) -> [String: JSONValue] {
    guard case .object(let members) = value else { throw WireError("INVALID_CLAIMS") }
    if let name = reserved.first(where: { members[$0] != nil }) {
      throw WireError("FORBIDDEN_CLAIM", name)
    }
    return members
  }
}
