public import AuthCore

/// One user of a file in the format of Firebase's `auth:export`.
///
/// IdentityToolkit holds the shapes of Firebase's wire and files as values, and their translation to
/// accounts. Start here for files. It imports AuthCore and Foundation, and does no network.
public struct UserRecord: Hashable, Sendable {
  public var localId: String
  public var email: String?
  public var emailVerified: Bool?
  public var passwordHash: String?
  public var salt: String?
  public var displayName: String?
  public var photoUrl: String?
  public var createdAt: Timestamp?
  public var lastSignedInAt: Timestamp?
  public var phoneNumber: String?
  public var disabled: Bool?
  public var customAttributes: String?
  public var providerUserInfo: [ProviderEntry]
  public var mfaInfo: [FactorEntry]

  /// One entry of `providerUserInfo`.
  public struct ProviderEntry: Hashable, Sendable {
    public var providerId: String
    public var rawId: String?
    public var email: String?
    public var displayName: String?
    public var photoUrl: String?
    public var phoneNumber: String?
    /// Read where there is no `rawId`; never written.
    public var federatedId: String?
    public var screenName: String?
    /// Who vouches, where the provider's ID alone does not say; Firebase has no such field.
    public var issuer: String?
  }

  /// One entry of `mfaInfo`.
  public struct FactorEntry: Hashable, Sendable {
    public var mfaEnrollmentId: String?
    public var displayName: String?
    public var phoneInfo: String?
    public var enrolledAt: String?
    public var totpInfo: TOTPInfo?

    /// An empty object that marks a TOTP factor.
    public struct TOTPInfo: Hashable, Sendable {}
  }
}
