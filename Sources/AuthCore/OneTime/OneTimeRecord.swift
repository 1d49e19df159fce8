/// A record that ends with its lifetime or its use.
///
/// Examples are a code that was sent, a sign-in that waits for its second factor, and the mark of a used token.
public struct OneTimeRecord: Hashable, Sendable, Codable, Identifiable {
  /// The kind of a record.
  public enum Kind: String, Hashable, Sendable, Codable {
    /// A code that was sent to a phone number or an e-mail address.
    case code
    /// An e-mailed code of ``ActionCodes``.
    case actionCode = "action-code"
    /// A sign-in at a vendor that has not returned yet.
    case authorization
    /// A sign-in or a change that waits for a second factor.
    case pending
    /// An unfinished enrolment of a second factor.
    case enrollment
    /// The mark of a used value, which cannot be used again.
    case used
    /// A count of attempts.
    case attempts
    /// A message to be sent; stored in the servers' scope, whatever scope it comes from.
    case message
    /// A deleted account that can be restored; see ``KeptDeletion``.
    case deletion
    /// A split or a move of identities that can be undone; see ``TransferRecord``.
    case transfer
  }

  /// An unguessable handle, or the name of the counted or used value.
  public let id: String
  /// The kind of the record.
  public let kind: Kind
  /// The account that it is bound to; the record is removed when that account's sessions end.
  public let account: AccountID?
  /// The time after which it can be swept.
  public let expiresAt: Timestamp
  /// The number of attempts.
  public var attempts: Int
  /// The content, sealed if it is secret.
  public var content: String

  /// Makes a record.
  public init(
    id: String, kind: Kind, account: AccountID? = nil, expiresAt: Timestamp, attempts: Int = 0,
    content: String = ""
  ) {
    self.id = id
    self.kind = kind
    self.account = account
    self.expiresAt = expiresAt
    self.attempts = attempts
    self.content = content
  }
}

/// The use of a one-time value, such as an ID token.
///
/// It is committed together with the effect of the use, so that a refused attempt uses nothing up.
public struct OneTimeUse: Hashable, Sendable, Codable {
  /// The name of the used value: a digest, never the secret itself.
  public let name: String
  /// The time after which the value would be invalid anyway.
  public let expiresAt: Timestamp

  /// Makes a use.
  public init(_ name: String, expiresAt: Timestamp) {
    self.name = name
    self.expiresAt = expiresAt
  }

  /// The record of the use.
  public var record: OneTimeRecord {
    OneTimeRecord(id: recordID, kind: .used, expiresAt: expiresAt)
  }

  /// The ID of the record.
  public var recordID: String { "used:\(name)" }
}

/// The uses of an ID token, which names its own nonce.
extension OneTimeUse {
  private static let tokens = "id-token:"
  private static let nonces = "nonce:"

  /// Makes the use of an issuer's ID token, given the token's digest.
  package static func idToken(
    _ digest: String, of issuer: String, expiresAt end: Timestamp
  ) -> OneTimeUse {
    OneTimeUse("\(tokens)\(issuer):\(digest)", expiresAt: end)
  }

  /// Makes the use of the nonce of an issuer's ID token, given the nonce's digest.
  package static func nonce(
    _ digest: String, of issuer: String, expiresAt end: Timestamp
  ) -> OneTimeUse {
    OneTimeUse("\(nonces)\(issuer):\(digest)", expiresAt: end)
  }

  /// True for the use of an ID token.
  var isOfToken: Bool { name.hasPrefix(Self.tokens) }
  /// True for the use of an ID token's nonce.
  var isOfNonce: Bool { name.hasPrefix(Self.nonces) }
}
