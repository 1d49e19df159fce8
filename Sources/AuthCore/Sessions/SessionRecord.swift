/// The stored session of a refresh token, with only a digest of the token.
public struct SessionRecord: Hashable, Sendable, Codable, Identifiable {
  /// The SHA-256 of the refresh token, in base64url.
  public let id: String
  /// The account of the session.
  public let account: AccountID
  /// Firebase's `sign_in_provider`.
  public let provider: ProviderID
  /// The identity whose credential opened the session; the session ends when the account loses it.
  public let identity: IdentityKey?
  /// The time of the sign-in.
  public let signedInAt: Timestamp
  /// The second factor that the session has shown.
  public let secondFactor: SessionGrant.Factor?
  /// The claims of the session, from a custom token or a hook; null for none.
  public let claims: JSONValue
  /// The time the session was opened.
  public let createdAt: Timestamp
  /// The mark of the account's sessions at the beginning; nil for a session of a version without marks.
  public let mark: SessionMark?
  /// The last day on which it was refreshed; nil if not since its first day.
  public var usedAt: Timestamp?

  /// Makes a record.
  public init(
    id: String, account: AccountID, provider: ProviderID, identity: IdentityKey?,
    signedInAt: Timestamp, secondFactor: SessionGrant.Factor?, claims: JSONValue,
    createdAt: Timestamp, mark: SessionMark? = nil, usedAt: Timestamp? = nil
  ) {
    self.usedAt = usedAt
    self.mark = mark
    self.id = id
    self.account = account
    self.provider = provider
    self.identity = identity
    self.signedInAt = signedInAt
    self.secondFactor = secondFactor
    self.claims = claims
    self.createdAt = createdAt
  }

  private enum CodingKeys: String, CodingKey {
    case id, account, provider, identity, signedInAt, secondFactor, claims, createdAt, usedAt
    // The mark of the ownership, until the account's sessions are first ended.
    case mark = "ownership"
  }
}

extension SessionRecord: JSONRecord {
  package func writeMembers(_ writer: inout JSONWriter) {
    writer.member("account", account.rawValue)
    writer.member("claims", claims)
    writer.member("createdAt", createdAt.milliseconds)
    writer.member("id", id)
    writer.member("identity", identity)
    writer.member("ownership", mark?.mark)
    writer.member("provider", provider.rawValue)
    writer.member("secondFactor", secondFactor)
    writer.member("signedInAt", signedInAt.milliseconds)
    writer.member("usedAt", usedAt?.milliseconds)
  }
}

extension SessionGrant.Factor: JSONRecord {
  package func writeMembers(_ writer: inout JSONWriter) {
    writer.member("id", id)
    writer.member("kind", kind)
  }
}

extension SessionRecord {
  /// The number of seconds for which the session of a deleted account is remembered.
  static let memoryOfDeletion: Int64 = 30 * 86_400

  /// The prefix of the record ID that remembers the session of a deleted account.
  package static let deletedName = "used:session of a deleted account:"

  /// Returns the record that a session's account was deleted; it does not name the account.
  public static func memory(of id: String, until end: Timestamp) -> OneTimeRecord {
    OneTimeRecord(id: deletedName + id, kind: .used, expiresAt: end)
  }
}
