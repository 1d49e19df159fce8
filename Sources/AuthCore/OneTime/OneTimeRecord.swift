/// Something that is open for a while and ends with its use: a code that was sent, a sign-in that waits for
/// its second factor, the mark that a token was used.
public struct OneTimeRecord: Hashable, Sendable, Codable, Identifiable {
  public enum Kind: String, Hashable, Sendable, Codable {
    /// A code that was sent to a phone number or an e-mail address.
    case code
    /// A code of ``ActionCodes`` that came by e-mail.
    case actionCode = "action-code"
    /// A sign-in at a vendor that has not come back yet.
    case authorization
    /// A sign-in or a change that waits for a second factor.
    case pending
    /// A second factor that is being enrolled.
    case enrollment
    /// The mark that something was used and may not be used again.
    case used
    /// A count of attempts.
    case attempts
    /// A message that waits to be sent; among those of the servers, whatever scope it is from.
    case message
  }

  /// An unguessable handle, or the name of what is counted or was used.
  public let id: String
  public let kind: Kind
  /// The account whose it is; it goes when that account's sessions are ended.
  public let account: AccountID?
  public let expiresAt: Timestamp
  /// How often it was tried.
  public var attempts: Int
  /// What was kept; sealed where it is secret.
  public var content: String

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

/// The use of something that may be used once, such as an ID token.
///
/// It is committed together with what the use brought about, so a refused attempt uses nothing up.
public struct OneTimeUse: Hashable, Sendable, Codable {
  /// Names what is used; never the secret itself, only a digest of it.
  public let name: String
  /// When it could not be used any more anyway.
  public let expiresAt: Timestamp

  public init(_ name: String, expiresAt: Timestamp) {
    self.name = name
    self.expiresAt = expiresAt
  }

  /// The record of a use.
  public var record: OneTimeRecord {
    OneTimeRecord(id: recordID, kind: .used, expiresAt: expiresAt)
  }

  public var recordID: String { "used:\(name)" }
}
