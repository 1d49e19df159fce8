/// What Firebase's records hold beside the profile: shown to clients, never used to decide who someone is.
public struct AccountDetails: Hashable, Sendable, Codable {
  /// The first address, from the first change of it on; a recovery goes back to it.
  public var initialEmail: EmailAddress?
  /// Whether a custom token opened or entered the account, or one that it absorbed, at least once.
  public var usedCustomToken = false
  /// When tokens were last given.
  public var lastRefreshAt: Timestamp?
  public var screenName: String?
  public var language: String?
  public var timeZone: String?
  public var dateOfBirth: String?

  public init() {}
}

/// What was stored before a detail was known lacks it.
extension AccountDetails {
  public init(from decoder: any Decoder) throws {
    let stored = try decoder.container(keyedBy: CodingKeys.self)
    self.init()
    initialEmail = try stored.decodeIfPresent(EmailAddress.self, forKey: .initialEmail)
    usedCustomToken = try stored.decodeIfPresent(Bool.self, forKey: .usedCustomToken) ?? false
    lastRefreshAt = try stored.decodeIfPresent(Timestamp.self, forKey: .lastRefreshAt)
    screenName = try stored.decodeIfPresent(String.self, forKey: .screenName)
    language = try stored.decodeIfPresent(String.self, forKey: .language)
    timeZone = try stored.decodeIfPresent(String.self, forKey: .timeZone)
    dateOfBirth = try stored.decodeIfPresent(String.self, forKey: .dateOfBirth)
  }
}
