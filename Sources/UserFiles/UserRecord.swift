public import AuthCore

/// One user of a file in the format of Firebase's `auth:export`, or of a request that uploads accounts.
///
/// IdentityToolkit holds the shapes of Firebase's wire and files as values, and their translation to
/// accounts. Start here for files. It imports AuthCore and Foundation, and does no network.
public struct UserRecord: Hashable, Sendable {
  public var localId: String
  public var email: String?
  public var emailVerified: Bool?
  public var passwordHash: String?
  public var salt: String?
  /// How the hash was made, under the names of `--hash-parameters`; Firebase has no such field.
  public var hashParameters: JSONValue?
  /// A password that is not hashed yet, which is read and never written.
  public var rawPassword: String?
  public var displayName: String?
  public var photoUrl: String?
  public var createdAt: Timestamp?
  public var lastSignedInAt: Timestamp?
  public var phoneNumber: String?
  public var disabled: Bool?
  public var customAttributes: String?
  public var tenantId: String?
  /// Whether a custom token opened or entered the account.
  public var customAuth: Bool?
  /// Whether the account's address signs in by a link.
  public var emailLinkSignin: Bool?
  public var initialEmail: String?
  public var screenName: String?
  public var language: String?
  public var timeZone: String?
  public var dateOfBirth: String?
  public var providerUserInfo: [ProviderEntry]
  public var mfaInfo: [FactorEntry]
  /// Whether an account without an address had enrolled its second factors; Firebase has no such accounts.
  public var hasFactorsWithoutEmail: Bool?
  /// Fields that other systems' records have and accounts do not keep.
  public var skipped: [String] = []

  /// One entry of `providerUserInfo`.
  public struct ProviderEntry: Hashable, Sendable {
    public var providerId: String?
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
    /// Whether a number is a way in beside the account's own; Firebase has no such field.
    public var isFurther: Bool?

    public init() {}
  }

  /// One entry of `mfaInfo`.
  public struct FactorEntry: Hashable, Sendable {
    public var mfaEnrollmentId: String?
    public var displayName: String?
    public var phoneInfo: String?
    public var enrolledAt: String?
    public var totpInfo: TOTPInfo?

    /// Marks a factor of an authenticator app; Firebase's are empty objects.
    public struct TOTPInfo: Hashable, Sendable {
      /// The secret in base32.
      public var sharedSecretKey: String?
    }
  }
}
