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

  public init(
    id: String, account: AccountID, provider: ProviderID, identity: IdentityKey?,
    signedInAt: Timestamp, secondFactor: SessionGrant.Factor?, claims: JSONValue,
    createdAt: Timestamp
  ) {
    self.id = id
    self.account = account
    self.provider = provider
    self.identity = identity
    self.signedInAt = signedInAt
    self.secondFactor = secondFactor
    self.claims = claims
    self.createdAt = createdAt
  }
}

extension SessionRecord: JSONRecord {
  package func writeMembers(_ writer: inout JSONWriter) {
    writer.member("account", account.rawValue)
    writer.member("claims", claims)
    writer.member("createdAt", createdAt.milliseconds)
    writer.member("id", id)
    writer.member("identity", identity)
    writer.member("provider", provider.rawValue)
    writer.member("secondFactor", secondFactor)
    writer.member("signedInAt", signedInAt.milliseconds)
  }
}

extension SessionGrant.Factor: JSONRecord {
  package func writeMembers(_ writer: inout JSONWriter) {
    writer.member("id", id)
    writer.member("kind", kind)
  }
}
