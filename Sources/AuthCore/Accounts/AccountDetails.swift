/// Further fields of Firebase's records; shown to clients, never used to decide who a person is.
public struct AccountDetails: Hashable, Sendable, Codable {
  /// The first address, once it was changed; a recovery returns to it.
  public var initialEmail: EmailAddress?
  /// True if a custom token ever signed in to the account, or to one that it absorbed.
  public var usedCustomToken = false
  /// The last time tokens were issued.
  public var lastRefreshAt: Timestamp?
  /// A handle, as X and GitHub call it.
  public var screenName: String?
  /// The language the account's owner reads, as the provider writes it.
  public var language: String?
  /// The owner's time zone, as an imported record has it.
  public var timeZone: String?
  /// The owner's date of birth, as the provider writes it.
  public var dateOfBirth: String?
  /// The password of an account that has no address; it signs in once the account has one.
  ///
  /// It is no identity, and no way to sign in by itself.
  public package(set) var waitingPassword: StoredSecret?
  /// Nil for none, so that most records do not have the field.
  private var marks: [VendorMark]?
  private var kept: [UnlinkedSession]?

  /// Makes empty details.
  public init() {}

  /// The latest that vendors reported about the account's identities; empty if nothing.
  public var vendorMarks: [VendorMark] {
    get { marks ?? [] }
    set { marks = newValue.isEmpty ? nil : newValue }
  }

  /// The sessions that continue although they unlinked the identity with which they began, the oldest first.
  public var keptSessions: [UnlinkedSession] {
    get { kept ?? [] }
    set { kept = newValue.isEmpty ? nil : newValue }
  }
}

extension AccountDetails: FieldRecord {
  package static var blank: AccountDetails { AccountDetails() }
  package static let fields: FieldList<AccountDetails> = [
    Field("initialEmail", \.initialEmail),
    Field(later: "usedCustomToken", \.usedCustomToken, audit: .left),
    Field("lastRefreshAt", \.lastRefreshAt, audit: .left),
    Field("screenName", \.screenName),
    Field("language", \.language),
    Field("timeZone", \.timeZone),
    Field("dateOfBirth", \.dateOfBirth),
    Field("waitingPassword", \.waitingPassword, audit: .masked),
    Field("marks", \.marks, audit: .left),
    Field("kept", \.kept, audit: .left),
  ]
}
