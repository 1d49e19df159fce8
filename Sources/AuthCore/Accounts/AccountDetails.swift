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

extension AccountDetails: FieldRecord {
  package static var blank: AccountDetails { AccountDetails() }
  package static let fields: FieldList<AccountDetails> = [
    Field("initialEmail", \.initialEmail),
    Field(later: "usedCustomToken", \.usedCustomToken),
    Field("lastRefreshAt", \.lastRefreshAt),
    Field("screenName", \.screenName),
    Field("language", \.language),
    Field("timeZone", \.timeZone),
    Field("dateOfBirth", \.dateOfBirth),
  ]
}
