import AuthCore
import Crypto

/// The checks that bind a token to its sign-in: the nonce, and the hashes of access token and code.
extension ClaimCheck {
  func nonce(given: String?) throws(AuthError) {
    let rule = declaration.nonce
    guard rule.presence != .ignored else { return }
    let claim: String?
    switch token.claims["nonce"] {
    case nil: claim = nil
    case .string(let text) where !text.isEmpty: claim = text
    default: throw .refusedNonce("The ID token's nonce is no text.", remedy: "Sign in again.")
    }
    let given = given.flatMap { $0.isEmpty ? nil : $0 }
    switch (claim, given) {
    case (nil, nil):
      guard rule.presence != .required else {
        throw .refusedNonce(
          "The ID token has no nonce, and one is required.",
          remedy: "Send a nonce when asking for the token, and give it with the credential.")
      }
    case (nil, _?):
      throw .refusedNonce(
        "The credential gives a nonce, and the ID token has none.",
        remedy: "Send the nonce when asking for the token.")
    case (_?, nil):
      throw .refusedNonce(
        "The ID token has a nonce, and the credential gives none.",
        remedy: "Give the nonce that the token was asked for with.")
    case (let claim?, let given?):
      guard rule.presence != .none else {
        throw .refusedNonce(
          "The ID token has a nonce, and none is expected.", remedy: "Sign in without a nonce.")
      }
      guard Self.fits(claim, given, rule.form) else {
        throw .refusedNonce(
          "The ID token was made for another nonce.",
          remedy: "Give the nonce as it was before hashing, of the same sign-in.")
      }
    }
  }

  private static func fits(_ claim: String, _ given: String, _ form: NonceRule.Form) -> Bool {
    let isPlain = claim.equalsInConstantTime(given)
    let isHashed = claim.equalsInConstantTime(SHA256.hash(data: Array(given.utf8)).hexadecimal)
    switch form {
    case .plain: return isPlain
    case .sha256Hex: return isHashed
    case .either: return isPlain || isHashed
    }
  }

  /// Checks `at_hash` if the token has it (OpenID Connect Core 3.1.3.6).
  func accessTokenHash(_ accessToken: String) throws(AuthError) {
    guard let claim = token.claims["at_hash"] else { return }
    guard isHash(claim, of: accessToken) else {
      throw .refusedToken(
        "The ID token was not given together with the access token.", field: "at_hash",
        remedy: "Give the access token of the same answer, or none.")
    }
  }

  /// Checks `c_hash`, which a token beside an authorization code always has (OpenID Connect Core 3.3.2.11).
  func codeHash(_ code: String) throws(AuthError) {
    guard let claim = token.claims["c_hash"], isHash(claim, of: code) else {
      throw .refusedToken(
        "The ID token was not given together with the authorization code.", field: "c_hash",
        remedy: "Give the code of the same answer.")
    }
  }

  /// Tells whether a claim is the left half of a value's digest, by the token's own algorithm.
  private func isHash(_ claim: JSONValue, of value: String) -> Bool {
    // Core asks for base64url without a word about padding; Yahoo pads, others use plain base64. So bytes are
    // compared.
    guard let given = claim.stringValue.flatMap(Base64.bytes(ofEither:)) else { return false }
    return Base64.url.text(given).equalsInConstantTime(Self.leftHalf(of: value, token.algorithm))
  }

  static func leftHalf(of value: String, _ algorithm: SigningAlgorithm) -> String {
    let bytes = Array(value.utf8)
    let digest: [UInt8] =
      switch algorithm {
      case .rs256, .ps256, .es256: Array(SHA256.hash(data: bytes))
      case .rs384, .ps384, .es384: Array(SHA384.hash(data: bytes))
      // Ed25519 itself hashes with SHA-512.
      case .rs512, .ps512, .es512, .edDSA: Array(SHA512.hash(data: bytes))
      }
    return Base64.url.text(digest.prefix(digest.count / 2))
  }
}
