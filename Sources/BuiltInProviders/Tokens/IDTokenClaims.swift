public import AuthCore

/// The claims of a token that was verified.
public struct IDTokenClaims: Sendable, Hashable {
  public let issuer: String
  public let subject: String
  public let audiences: [String]
  public let authorizedParty: String?
  public let expiresAt: Timestamp
  public let issuedAt: Timestamp
  public let nonce: String?
  public let email: String?
  /// The vendor's word on the address: JSON's true, or the text where the declaration says so.
  public let emailVerified: Bool
  /// Every claim, as the token has it.
  public let all: JSONValue
  /// What is used up when the token is: the token itself and its nonce, as digests.
  public let uses: [OneTimeUse]

  let booleansMayBeText: Bool

  public var name: String? { all["name"]?.stringValue }
  public var picture: String? { all["picture"]?.stringValue }

  /// Whether a claim is true: JSON's true, or the text where the declaration says so.
  public func flag(_ name: String) -> Bool {
    Self.isTrue(all[name], booleansMayBeText)
  }

  static func isTrue(_ value: JSONValue?, _ textCounts: Bool) -> Bool {
    value == .bool(true) || (textCounts && value == .string("true"))
  }
}

extension IDTokenClaims: CustomStringConvertible, CustomReflectable {
  public var description: String { "ID token of \(issuer)" }
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}
