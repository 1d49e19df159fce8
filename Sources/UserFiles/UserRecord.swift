public import AuthCore

/// One user of a file in the format of Firebase's `auth:export`, or of a request that uploads accounts.
///
/// UserFiles reads and writes such files and translates their records to accounts. Start here. It imports AuthCore
/// and Foundation, and uses no network.
public struct UserRecord: Hashable, Sendable {
  /// The user ID (uid).
  public var localId: String
  /// The address as it was entered.
  public var email: String?
  /// True if control of the address was proved.
  public var emailVerified: Bool?
  /// The password's hash in base64.
  public var passwordHash: String?
  /// The password's salt in base64.
  public var salt: String?
  /// The hash's parameters under the names of `--hash-parameters`.
  ///
  /// Firebase has no such field.
  public var hashParameters: JSONValue?
  /// A plain password, which is accepted in requests and never written.
  public var rawPassword: String?
  /// The person's name as it is displayed.
  public var displayName: String?
  /// The URL of the person's picture.
  public var photoUrl: String?
  /// The time of creation, in milliseconds since 1970 in a file.
  public var createdAt: Timestamp?
  /// The time of the last sign-in, in milliseconds since 1970 in a file.
  public var lastSignedInAt: Timestamp?
  /// The number in E.164 form.
  public var phoneNumber: String?
  /// True if sign-ins to the account are refused.
  public var disabled: Bool?
  /// The custom claims as the text of a JSON object.
  public var customAttributes: String?
  /// The tenant, if the account belongs to one.
  public var tenantId: String?
  /// True if a custom token created or entered the account.
  public var customAuth: Bool?
  /// True if the account's address signs in with an e-mail link.
  public var emailLinkSignin: Bool?
  /// The address with which the account was created.
  public var initialEmail: String?
  /// The screen name, which Firebase keeps for some providers.
  public var screenName: String?
  /// The person's language.
  public var language: String?
  /// The person's time zone.
  public var timeZone: String?
  /// The person's date of birth.
  public var dateOfBirth: String?
  /// The linked providers.
  public var providerUserInfo: [ProviderEntry]
  /// The enrolled second factors.
  public var mfaInfo: [FactorEntry]
  /// True if the account enrolled its second factors without an address.
  ///
  /// Firebase has no such accounts.
  public var hasFactorsWithoutEmail: Bool?
  /// True if an old system still has the password: see `PasswordMigration`.
  ///
  /// Firebase has no such accounts.
  public var passwordElsewhere: Bool?
  /// The names of fields that other systems write and accounts do not keep.
  public var skipped: [String] = []

  /// One entry of `providerUserInfo`.
  public struct ProviderEntry: Hashable, Sendable {
    /// The provider's ID, such as `google.com`.
    public var providerId: String?
    /// The subject: the person's ID at the provider.
    public var rawId: String?
    /// The address that the provider reported.
    public var email: String?
    /// The name that the provider reported.
    public var displayName: String?
    /// The URL of the picture that the provider reported.
    public var photoUrl: String?
    /// The number of an entry for `phone`, in E.164 form.
    public var phoneNumber: String?
    /// The vendor's address with the subject, read if there is no `rawId` and never written.
    public var federatedId: String?
    /// The screen name at the provider, such as a Twitter handle.
    public var screenName: String?
    /// The identity's issuer, if the provider's ID does not determine it.
    ///
    /// Firebase has no such field.
    public var issuer: String?
    /// True for a number that signs in, in addition to the account's own.
    ///
    /// Firebase has no such field.
    public var isFurther: Bool?

    /// Makes an empty entry.
    public init() {}
  }

  /// One entry of `mfaInfo`.
  public struct FactorEntry: Hashable, Sendable {
    /// The ID of the enrollment.
    public var mfaEnrollmentId: String?
    /// The name that the person gave the factor.
    public var displayName: String?
    /// The number of a text-message factor, in E.164 form.
    public var phoneInfo: String?
    /// The time of the enrollment, in RFC 3339.
    public var enrolledAt: String?
    /// The authenticator app's data; nil for a text-message factor.
    public var totpInfo: TOTPInfo?

    /// Marks a factor of an authenticator app.
    ///
    /// In Firebase's files it is an empty object.
    public struct TOTPInfo: Hashable, Sendable {
      /// The secret in base32.
      public var sharedSecretKey: String?
    }
  }
}
