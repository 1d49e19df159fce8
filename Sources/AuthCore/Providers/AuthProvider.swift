/// A provider verifies one kind of identity from its credentials.
///
/// An implementation promises the following, which `ProviderCheck.all` of ProviderChecks tests:
/// - `verify` throws an ``AuthError`` with a step unless the credential is genuine, and never guesses.
/// - The subject is the provider's immutable identifier, never an e-mail or a user name.
/// - `emailVerified` repeats the provider's word; the graph decides whether it counts.
/// - `verify` touches no account, and may be called concurrently.
///
/// Abilities that only some providers have, such as revoking or sending codes, are small protocols of their own, found
/// by conformance.
public protocol AuthProvider: Sendable {
  /// The ID that credentials and identities name.
  var id: ProviderID { get }
  /// The description of the provider.
  var manifest: ProviderManifest { get }

  /// Verifies a credential and returns its identity.
  func verify(
    _ credential: Credential, _ context: VerificationContext
  ) async throws -> VerifiedIdentity
}

/// The description of a provider as data, for help, completion, checks and trust.
public struct ProviderManifest: Sendable {
  /// The kind of a provider.
  public enum Kind: String, Sendable {
    case password, anonymous, phone, emailLink, oauth2, oidc, custom
  }

  /// The name that people see.
  public var name: String
  /// The kind of the provider.
  public var kind: Kind
  /// The ways to make a credential.
  public var builders: [CredentialBuilder]
  /// The hosts that the provider calls; empty if it needs no network.
  public var hosts: [String]
  /// The issuers that it trusts; empty if the provider itself is the issuer.
  public var issuers: [String]
  /// The settings that a scope can give it; empty for none.
  public var configuration: [ConfigurationField]
  /// True if a subject may be the person's own address, as in tests.
  package var takesAddressesAsSubjects = false
  /// The version of a plug-in's text; nil for a provider that cannot be replaced at run time.
  public var version: String?

  /// Makes a description.
  public init(
    name: String, kind: Kind, builders: [CredentialBuilder], hosts: [String] = [],
    issuers: [String] = [], configuration: [ConfigurationField] = [], version: String? = nil
  ) {
    self.version = version
    self.name = name
    self.kind = kind
    self.builders = builders
    self.hosts = hosts
    self.issuers = issuers
    self.configuration = configuration
  }
}

/// The environment of a provider while it verifies.
public struct VerificationContext: Sendable {
  /// The purpose of a verification.
  public enum Purpose: Sendable, Hashable {
    /// A sign-in: a provider that keeps secrets refuses an unknown identity.
    case signIn
    /// An enrolment: the credential brings a new secret.
    case enroll
  }

  /// The project or tenant of the request.
  public let scope: Scope
  /// The purpose of the verification.
  public let purpose: Purpose
  /// The time of the request.
  public let now: Timestamp
  /// The policy for a new password.
  public let passwordPolicy: PasswordPolicy
  /// The parameters of imported password hashes, from the scope's settings.
  public let passwordHashParameters: [String: String]
  /// Looks up the stored secret of an identity, and nothing else about its account.
  public let storedSecret: @Sendable (IdentityKey) async throws -> StoredSecret?
  /// The provider's settings in the scope.
  public internal(set) var settings: ProviderSettings
  /// Makes and checks the codes that the provider sends; nil without a store.
  public let codes: OneTimeCodes?
  /// Delivers codes and links to people.
  public let messages: any MessageSender
  /// The account that the identity is to be linked to; nil for a sign-in.
  public let account: AccountID?
  /// The regions whose phones get messages; nil for all.
  public internal(set) var messageRegions: MessageRegions?

  /// Makes a context, such as one for a test.
  public init(
    scope: Scope, purpose: Purpose, now: Timestamp, settings: ProviderSettings? = nil,
    codes: OneTimeCodes? = nil, messages: (any MessageSender)? = nil, account: AccountID? = nil,
    passwordPolicy: PasswordPolicy = PasswordPolicy(),
    passwordHashParameters: [String: String] = [:],
    storedSecret: @escaping @Sendable (IdentityKey) async throws -> StoredSecret? = { _ in nil }
  ) {
    self.scope = scope
    self.purpose = purpose
    self.now = now
    self.settings = settings ?? ProviderSettings(ProviderID(""), nil, open: { _, text in text })
    self.codes = codes
    self.messages = messages ?? NoMessages()
    self.account = account
    self.passwordPolicy = passwordPolicy
    self.passwordHashParameters = passwordHashParameters
    self.storedSecret = storedSecret
  }
}

/// A provider's answer about a verified credential.
public struct VerifiedIdentity: Hashable, Sendable, Codable {
  /// The provider that verified it.
  public let provider: ProviderID
  /// The key of the identity; nil for an anonymous sign-in, and if ``account`` names the account instead.
  public var key: IdentityKey?
  /// The account that the credential names itself, as a custom token does.
  public var account: AccountID?
  /// The provider's data about the person.
  public var profile: IdentityProfile
  /// The provider's word that the profile's e-mail belongs to the person.
  public var emailVerified: Bool
  /// The address for matching accounts, and for a new account.
  public var email: EmailAddress?
  /// The phone number for a new account.
  public var phoneNumber: PhoneNumber?
  /// The effect of the verification on the stored secret.
  public var secret: SecretOutcome
  /// The provider's claims in its own form; for a custom token the claims of the session.
  public var claims: JSONValue
  /// The one-time values, such as the ID token, that are used up together with the credential's effect.
  public var uses: [OneTimeUse] = []
  /// The vendor's tokens that came for an authorization code; nil for any other credential.
  public var vendorTokens: InboundCredentials?
  /// The old system that confirmed the password; nil for any other identity.
  var migratedFrom: ProviderID?
  /// The provider's setup at the verification; nil if it does not matter.
  ///
  /// The graph sets it, and compares it in the transaction of a later decision.
  var setup: String?
  /// The settings of the verification, until the decision; not stored.
  var ground: VerificationGround?
  /// Nil for none, as in data that was stored before former keys existed.
  private var former: [IdentityKey]?

  /// The keys by which records of other systems name the same person, the narrowest first.
  ///
  /// The first sign-in finds an identity that an import or an admin brought under one of them, and gives it ``key``.
  /// The vendor's signature has to prove former keys, as it does the key.
  public var formerKeys: [IdentityKey] {
    get { former ?? [] }
    set { former = newValue.isEmpty ? nil : newValue }
  }

  private enum CodingKeys: String, CodingKey {
    case provider, key, account, profile, emailVerified, email, phoneNumber, secret, claims, uses
    case vendorTokens, setup, former, migratedFrom
  }

  /// The effect of a verification on the stored secret.
  public enum SecretOutcome: Hashable, Sendable, Codable {
    /// The provider stores no secret.
    case none
    /// The person chose this secret now.
    case chosen(encoded: String)
    /// The stored secret matched; `rehashed` has a better form of it, if there is one.
    case matched(encoded: String, rehashed: String?)
  }

  /// Makes an answer; the properties without a parameter are set afterwards.
  public init(
    provider: ProviderID, key: IdentityKey?, profile: IdentityProfile = IdentityProfile(),
    emailVerified: Bool = false, email: EmailAddress? = nil, phoneNumber: PhoneNumber? = nil,
    secret: SecretOutcome = .none, claims: JSONValue = .null
  ) {
    self.provider = provider
    self.key = key
    self.profile = profile
    self.emailVerified = emailVerified
    self.email = email
    self.phoneNumber = phoneNumber
    self.secret = secret
    self.claims = claims
  }
}
