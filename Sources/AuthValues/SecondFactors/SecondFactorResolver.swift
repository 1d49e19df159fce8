/// A sign-in that waits for its second factor.
///
/// A plain value that can be kept as JSON. It survives a restart and works until it expires or is used.
public struct SecondFactorResolver: Sendable, Hashable, Codable {
  /// The ID of the pending sign-in, Firebase's `mfaPendingCredential`; useless without the second factor.
  public let session: String
  /// The accepted factors, in the order in which they were enrolled.
  public let hints: [SecondFactorInfo]
  /// The time until which the sign-in can be finished.
  public let expiresAt: Timestamp
  /// The account that signs in; nil in a resolver that was rebuilt from its session alone.
  public let account: AccountID?
  /// The provider of the first factor; nil in a resolver that was rebuilt from its session alone.
  public let provider: ProviderID?

  /// Makes a resolver, such as one from a session that a client kept.
  public init(
    session: String, hints: [SecondFactorInfo], expiresAt: Timestamp, account: AccountID? = nil,
    provider: ProviderID? = nil
  ) {
    self.account = account
    self.provider = provider
    self.session = session
    self.hints = hints
    self.expiresAt = expiresAt
  }
}

extension SecondFactorResolver: CustomStringConvertible, CustomReflectable {
  /// The hints; never the session.
  public var description: String {
    "resolver (\(hints.map(\.description).joined(separator: ", ")))"
  }
  /// A mirror of the hints alone, so that dumping a resolver does not show its session.
  public var customMirror: Mirror { Mirror(self, children: ["hints": hints]) }
}

/// The details of a second factor that a client may see after the first factor alone.
public struct SecondFactorInfo: Sendable, Hashable, Codable, Identifiable, CustomStringConvertible {
  /// Firebase's `mfaEnrollmentId`.
  public let id: String
  /// `phone` or `totp`.
  public let factorID: String
  /// The name that the account's owner gave the factor.
  public let displayName: String?
  /// The time of enrolment as RFC 3339 text.
  public let enrolledAt: String?
  /// The number with all but the last four digits hidden; nil for other kinds.
  public let phoneNumber: String?

  package init(
    id: String, factorID: String, displayName: String?, enrolledAt: String?, phoneNumber: String?
  ) {
    self.id = id
    self.factorID = factorID
    self.displayName = displayName
    self.enrolledAt = enrolledAt
    self.phoneNumber = phoneNumber
  }

  /// The kind, the masked number and the name.
  public var description: String {
    [factorID, phoneNumber, displayName].compactMap { $0 }.joined(separator: " ")
  }
}

/// A person's answer to the request for a second factor.
public enum SecondFactorAssertion: Sendable {
  /// The code that was sent for a challenge.
  case phone(verificationID: String, code: Secret<String>)
  /// The code that an authenticator app shows, and the factor it is for.
  case totp(factorID: String, code: Secret<String>)
}
