/// Knows one kind of identity: which credentials there are, and whether one is genuine.
///
/// What an implementation promises, and `ProviderCheck.all` of ProviderChecks tests:
/// - `verify` throws an ``AuthError`` with a step unless the credential is genuine, and never guesses.
/// - The subject is the provider's immutable identifier, never an e-mail or a user name.
/// - `emailVerified` repeats the provider's word; whether it counts is decided elsewhere.
/// - `verify` touches no account. It may be called by many callers at once.
///
/// What only some providers can do (revoking, sending codes) are small protocols of their own, found by
/// conformance.
public protocol AuthProvider: Sendable {
  var id: ProviderID { get }
  var manifest: ProviderManifest { get }

  /// Tells who a credential belongs to.
  func verify(
    _ credential: AuthCredential, _ context: VerificationContext
  ) async throws -> VerifiedIdentity
}

/// Describes a provider as data, for help, completion, checks and trust.
public struct ProviderManifest: Sendable {
  public enum Kind: String, Sendable {
    case password, anonymous, phone, emailLink, oauth2, oidc, custom
  }

  public var name: String
  public var kind: Kind
  public var builders: [CredentialBuilder]
  /// The hosts that the provider calls; empty where it needs no network.
  public var hosts: [String]
  /// The issuers whose word it takes; empty where the provider itself is the issuer.
  public var issuers: [String]
  /// How it can be set up in a scope; empty where there is nothing to set.
  public var configuration: [ConfigurationField]
  /// Which text of a plug-in this is; nil for what cannot be replaced while it runs.
  public var version: String?

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

/// What a provider may know while it verifies.
public struct VerificationContext: Sendable {
  /// What the verified identity is wanted for.
  public enum Purpose: Sendable, Hashable {
    /// The identity has to exist already where the provider keeps a secret for it.
    case signIn
    /// A new secret is chosen with the credential.
    case enroll
  }

  public let scope: Scope
  public let purpose: Purpose
  public let now: Timestamp
  /// What a password that is chosen has to look like.
  public let passwordPolicy: PasswordPolicy
  /// How the hashes that were imported into the scope were made, as its settings keep it.
  public let passwordHashParameters: [String: String]
  /// Looks up the stored secret of an identity, and nothing else about its account.
  public let storedSecret: @Sendable (IdentityKey) async throws -> StoredSecret?
  /// How the provider is set up in the scope.
  public let settings: ProviderSettings
  /// Makes and checks the codes that the provider sends; nil where there is no store.
  public let codes: OneTimeCodes?
  /// Takes codes and links to people.
  public let messages: any MessageSender
  /// The account that the verified identity is wanted for, where it is to be linked.
  public let account: AccountID?

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

/// What a provider vouches for after it verified a credential.
public struct VerifiedIdentity: Hashable, Sendable, Codable {
  public let provider: ProviderID
  /// Who it is; nil for an anonymous sign-in, which is nobody yet, and where ``account`` says it.
  public var key: IdentityKey?
  /// The account that the credential names itself, as a custom token does.
  public var account: AccountID?
  public var profile: IdentityProfile
  /// The provider's word that the profile's e-mail belongs to the person.
  public var emailVerified: Bool
  /// The address to match on and to give a new account.
  public var email: EmailAddress?
  public var phoneNumber: PhoneNumber?
  public var secret: SecretOutcome
  /// What the provider said, as it said it; for a custom token the claims of the session.
  public var claims: JSONValue
  /// What may not be used again, such as the ID token; used up only with what it brings about.
  public var uses: [OneTimeUse] = []
  /// How the provider was set up when the credential was verified; nil if that does not matter.
  ///
  /// The graph notes it. What is decided later, in a transaction, compares it.
  var setup: String?
  /// The settings that it was verified with, until it is decided on; not kept.
  var ground: VerificationGround?
  /// Nil where there are none, as in what was kept before there were any.
  private var former: [IdentityKey]?

  /// The keys by which records of other systems name the same person, the narrowest first.
  ///
  /// An identity that an import or an admin brought under one of them is found by the first sign-in, and has ``key`` from
  /// then on. What the vendor signed has to prove them, as it does the key.
  public var formerKeys: [IdentityKey] {
    get { former ?? [] }
    set { former = newValue.isEmpty ? nil : newValue }
  }

  private enum CodingKeys: String, CodingKey {
    case provider, key, account, profile, emailVerified, email, phoneNumber, secret, claims, uses
    case setup, former
  }

  /// What verifying says about the stored secret.
  public enum SecretOutcome: Hashable, Sendable, Codable {
    /// The provider keeps none.
    case none
    /// The person chose this one now.
    case chosen(encoded: String)
    /// The stored one was matched; `rehashed` holds it in a better form, where there is one.
    case matched(encoded: String, rehashed: String?)
  }

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
