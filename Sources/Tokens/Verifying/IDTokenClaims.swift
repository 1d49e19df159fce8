public import AuthCore

/// The claims of a verified token.
public struct IDTokenClaims: Sendable, Hashable {
  /// One of the declared issuers.
  public let issuer: String
  /// The subject of the token: 1 to 255 bytes of text.
  public let subject: String
  /// Every audience of the token, at least one of them declared.
  public let audiences: [String]
  /// The client that requested the token (`azp`), one of the declared audiences.
  public let authorizedParty: String?
  /// The time at which the token expires (`exp`), rounded down to milliseconds.
  public let expiresAt: Timestamp
  /// The time at which the token was issued (`iat`), rounded down to milliseconds.
  public let issuedAt: Timestamp
  /// The nonce as the token holds it, which may be a digest.
  public let nonce: String?
  /// The e-mail address as the token holds it.
  public let email: String?
  /// True if the issuer says that the person owns the e-mail address.
  ///
  /// The claim has to be the JSON value `true`, or the text "true" if the declaration accepts texts.
  public let emailVerified: Bool
  /// The person's full name.
  public let name: String?
  /// The address of the person's picture.
  public let picture: String?
  /// Every claim, including those above.
  public let all: JSONValue
  /// The one-time uses that accepting the token consumes: the token itself and its nonce.
  ///
  /// The token is named by a digest of its signed part. An attacker can rewrite an ECDSA signature into another valid
  /// one, which would otherwise be another token.
  public let uses: [OneTimeUse]
  let flags: IDTokenFlags

  /// Tells whether a claim is true, by the rule of ``emailVerified``; false if it is missing.
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
