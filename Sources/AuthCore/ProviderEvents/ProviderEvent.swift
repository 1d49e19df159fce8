/// A vendor's message that something happened to an identity, as a provider verified it.
public struct ProviderEvent: Hashable, Sendable {
  /// The happening; ``ProviderEventRules`` decides what follows from it.
  public enum Kind: String, Hashable, Sendable, Codable, CaseIterable {
    /// The vendor ended the person's sessions, or the tokens of our app.
    case sessionEnded = "session-ended"
    /// The vendor disabled the person's account.
    case accountDisabled = "account-disabled"
    /// The vendor enabled the account again.
    case accountEnabled = "account-enabled"
    /// The person withdrew the consent to sign in to our app.
    case consentRevoked = "consent-revoked"
    /// The vendor deleted the account, or the person asks that its data go.
    case identityDeleted = "identity-deleted"
    /// Mail to the address that the vendor gave no longer arrives.
    case emailDisabled = "email-disabled"
    /// Mail to that address arrives again.
    case emailEnabled = "email-enabled"
    /// The person has another address at the vendor.
    case emailChanged = "email-changed"
    /// The person's password or keys at the vendor changed, or should change.
    case credentialChanged = "credential-changed"
  }

  /// The happening.
  public let kind: Kind
  /// The vendor's immutable ID of the person.
  public let subject: String
  /// The issuer of the identity's key; empty if the provider has one alone.
  public let issuer: String
  /// The time of the happening; nil if the vendor does not say it.
  public let at: Timestamp?
  /// The ID that makes the event unique among those of the provider, such as a token's `jti`.
  public let id: String
  /// The vendor's reason, for the audit; nil if there is none.
  public let reason: String?

  /// Makes an event.
  public init(
    _ kind: Kind, subject: String, issuer: String = "", at: Timestamp?, id: String,
    reason: String? = nil
  ) {
    self.kind = kind
    self.subject = subject
    self.issuer = issuer
    self.at = at
    self.id = id
    self.reason = reason
  }

  /// The age in seconds at which an event is refused.
  public static let maximumAge: Int64 = 7 * 86_400
  /// The number of seconds for which an event is remembered, so that it counts once.
  static let memory: Int64 = 31 * 86_400
  /// The maximum number of events in one request.
  public static let maximumCount = 100

  /// Throws `invalid-argument` if the provider made an event that cannot be kept.
  func check() throws(AuthError) {
    try TextBounds.subject.check(subject, "An event's subject", field: "subject")
    try TextBounds.issuer.check(issuer, "An event's issuer", field: "issuer")
    try TextBounds.subject.check(id, "An event's ID", field: "id")
    guard subject.isEmpty || id.isEmpty else { return }
    let field = subject.isEmpty ? "subject" : "id"
    throw AuthError(
      .invalidArgument, "An event needs a subject and an ID.", field: field,
      remedy: "Have the provider name the \(field).", step: .profile)
  }
}
