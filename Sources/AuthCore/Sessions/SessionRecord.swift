/// A session that a refresh token stands for, as a store keeps it: of the token itself only a digest.
public struct SessionRecord: Hashable, Sendable, Codable, Identifiable {
  /// The SHA-256 of the refresh token, in base64url.
  public let id: String
  public let account: AccountID
  /// Firebase's `sign_in_provider`.
  public let provider: ProviderID
  /// The identity whose credential made the session; the session ends when the account loses it.
  public let identity: IdentityKey?
  public let signedInAt: Timestamp
  public let secondFactor: SessionGrant.Factor?
  /// Claims of the session, from a custom token or a hook; null where there are none.
  public let claims: JSONValue
  public let createdAt: Timestamp
  /// The mark that the account's sessions had when this one began; nil for one of a version that kept none.
  public let mark: SessionMark?
  /// When it was last refreshed, to the day; nil if it was not since its first day.
  public var usedAt: Timestamp?

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
    // The mark of the ownership, until the account's sessions were ended.
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
  /// For how many seconds it is remembered of a session that its account was deleted.
  static let memoryOfDeletion: Int64 = 30 * 86_400

  /// What the use that remembers a session of a deleted account is called, before the session's ID.
  package static let deletedName = "used:session of a deleted account:"

  /// The record that remembers that a session's account was deleted; it says nothing of whose the session was.
  public static func memory(of id: String, until end: Timestamp) -> OneTimeRecord {
    OneTimeRecord(id: deletedName + id, kind: .used, expiresAt: end)
  }
}
