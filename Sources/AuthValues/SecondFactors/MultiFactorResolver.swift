/// What a sign-in that waits for its second factor goes on with.
///
/// A plain value: kept as JSON, it is as good after a restart, until its time is over or it was used.
public struct MultiFactorResolver: Sendable, Hashable, Codable {
  /// Names what waits, as Firebase's `mfaPendingCredential` does; of no use without the second factor.
  public let session: String
  /// The factors that will do, in the order in which they were enrolled.
  public let hints: [MultiFactorInfo]
  public let expiresAt: Timestamp
  /// Whose second factor is asked for, and the provider of the first one; nil in a resolver that was put
  /// together again from its session alone.
  public let account: AccountID?
  public let provider: ProviderID?

  public init(
    session: String, hints: [MultiFactorInfo], expiresAt: Timestamp, account: AccountID? = nil,
    provider: ProviderID? = nil
  ) {
    self.account = account
    self.provider = provider
    self.session = session
    self.hints = hints
    self.expiresAt = expiresAt
  }
}

extension MultiFactorResolver: CustomStringConvertible, CustomReflectable {
  public var description: String {
    "resolver (\(hints.map(\.description).joined(separator: ", ")))"
  }
  public var customMirror: Mirror { Mirror(self, children: ["hints": hints]) }
}

/// What may be told about an enrolled second factor to somebody who has shown only the first one.
public struct MultiFactorInfo: Sendable, Hashable, Codable, Identifiable, CustomStringConvertible {
  /// Firebase's `mfaEnrollmentId`.
  public let id: String
  /// `phone` or `totp`.
  public let factorID: String
  public let displayName: String?
  /// RFC 3339 text.
  public let enrolledAt: String?
  /// All but the last four digits hidden; nil for other kinds.
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

  public var description: String {
    [factorID, phoneNumber, displayName].compactMap { $0 }.joined(separator: " ")
  }
}

/// What a person gives as the second factor.
public enum MultiFactorAssertion: Sendable {
  /// The code that was sent for a challenge.
  case phone(verificationID: String, code: Secret<String>)
  /// The code that an authenticator app shows, and for which factor.
  case totp(factorID: String, code: Secret<String>)
}
