/// An enrolled second factor of an account.
public struct SecondFactor: Hashable, Sendable, Codable, Identifiable {
  /// The kind of a second factor.
  public enum Kind: Hashable, Sendable, Codable {
    /// Codes that are sent to a phone number.
    case phone(PhoneNumber)
    /// Codes that an authenticator app shows (RFC 6238).
    case totp
  }

  /// Firebase's `mfaEnrollmentId`.
  public private(set) var id: String
  /// The kind of the factor.
  public private(set) var kind: Kind
  /// The name that the account's owner gave it.
  public var displayName: String?
  /// The time of the enrolment as RFC 3339 text, kept as it was given.
  public var enrolledAt: String?
  /// The shared secret of a TOTP factor, in stored form.
  public var secret: StoredSecret?

  /// Makes a second factor.
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

extension SecondFactor: FieldRecord {
  package static var blank: SecondFactor { SecondFactor(id: "", kind: .totp) }
  package static let fields: FieldList<SecondFactor> = [
    Field("id", \.id, audit: .left), Field("kind", \.kind, audit: .left),
    Field("displayName", \.displayName), Field("enrolledAt", \.enrolledAt),
    Field("secret", \.secret, audit: .masked),
  ]
}

extension SecondFactorInfo {
  /// Makes the details of a factor that a client may see after the first factor alone.
  public init(_ factor: SecondFactor) {
    let number: PhoneNumber? = if case .phone(let number) = factor.kind { number } else { nil }
    self.init(
      id: factor.id, factorID: factor.factorID, displayName: factor.displayName,
      enrolledAt: factor.enrolledAt, phoneNumber: number?.masked)
  }
}
