/// One enrolled second factor of an account.
public struct SecondFactor: Hashable, Sendable, Codable, Identifiable {
  public enum Kind: Hashable, Sendable, Codable {
    case phone(PhoneNumber)
    case totp
  }

  /// Firebase's `mfaEnrollmentId`.
  public let id: String
  public let kind: Kind
  public var displayName: String?
  /// RFC 3339 text, kept as it was given.
  public var enrolledAt: String?
  /// The shared secret of a TOTP factor, in stored form.
  public var secret: StoredSecret?

  public init(
    id: String, kind: Kind, displayName: String? = nil, enrolledAt: String? = nil,
    secret: StoredSecret? = nil
  ) {
    self.id = id
    self.kind = kind
    self.displayName = displayName
    self.enrolledAt = enrolledAt
    self.secret = secret
  }

  /// The name of the kind as clients see it.
  public var factorID: String {
    switch kind {
    case .phone: "phone"
    case .totp: "totp"
    }
  }
}
