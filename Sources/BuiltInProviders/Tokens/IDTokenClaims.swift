public import AuthCore

/// The claims of a token that was verified.
public struct IDTokenClaims: Sendable, Hashable {
  /// One of the declared issuers.
  public let issuer: String
  /// Who the token is about: 1 to 255 bytes of text.
  public let subject: String
  public let audiences: [String]
  public let authorizedParty: String?
  public let expiresAt: Timestamp
  public let issuedAt: Timestamp
  /// The claim as the token holds it, which may be a digest of the nonce.
  public let nonce: String?
  public let email: String?
  /// Whether the issuer says that the e-mail address is the person's: with the JSON value `true` and nothing
  /// like it, or the text "true" where the declaration lets booleans be texts.
  public let emailVerified: Bool
  public let name: String?
  public let picture: String?
  /// Every claim, also those above.
  public let all: JSONValue
  /// What ends with this token's use: the token itself, and its nonce.
  ///
  /// The token is named by a digest of its signed part: an ECDSA signature can be rewritten into another valid one
  /// by anybody, and would be another token otherwise.
  public let uses: [OneTimeUse]
  let flags: IDTokenFlags

  /// Tells whether a claim is true, by the rule of ``emailVerified``; false where there is none.
  public func flag(_ name: String) -> Bool { flags[name] }
}

/// Reads booleans strictly: 1, "yes" and "false" are not true.
struct IDTokenFlags: Sendable, Hashable {
  let claims: JSONValue
  let mayBeText: Bool

  subscript(name: String) -> Bool {
    switch claims[name] {
    case .bool(let flag): flag
    case .string(let text): mayBeText && text == "true"
    default: false
    }
  }
}
