/// The open ways to sign in to a scope, and their requirements.
public struct SignInSettings: Hashable, Sendable, Codable {
  /// True to close the scope to everyone but admins; Firebase's `disableAuth` of a tenant.
  public var isDisabled = false
  /// The providers that are closed although they are registered.
  public var closedProviders: Set<ProviderID> = []
  /// True if clients may create accounts.
  public var allowsSignUp = true
  /// True if clients may delete their own account.
  public var allowsDeletion = true
  /// The second factors that may be enrolled.
  public var multiFactor = MultiFactorSettings()
  /// True to hide which addresses have an account; Firebase's e-mail enumeration protection.
  ///
  /// Firebase's production enables it for new projects.
  public var hidesAccounts = true
  /// The requirements for passwords.
  public var passwordPolicy = PasswordPolicy()
  /// The domains that links and redirects may lead to, besides `localhost`.
  public var authorizedDomains: [String] = []
  /// The domains, besides the server's own, that an app may choose for the links in messages.
  ///
  /// Each has to lead to this server.
  public var linkDomains: [String] = []
  /// The provider that checks passwords of an old system; nil if there is none.
  ///
  /// It is asked at a sign-in with a password if no account has the address, or an import left the account's password
  /// there. See ``PasswordMigration``.
  public var passwordMigration: String?
  /// The app's functions that are called before sign-ups and sign-ins.
  public var blockingFunctions = BlockingFunctions()
  /// The name of a tenant; nil for a project.
  public var displayName: String?

  /// Makes the default settings.
  public init() {}
}

/// The second factors that may be enrolled.
public struct MultiFactorSettings: Hashable, Sendable, Codable {
  /// The state of second factors.
  ///
  /// Firebase's `MANDATORY` is missing. A person enrols with an ID token, which the app's servers accept like any
  /// other, so nothing could exclude people without a factor.
  public enum State: String, Hashable, Sendable, Codable, CaseIterable {
    /// No factor may be enrolled.
    case disabled = "DISABLED"
    /// Factors may be enrolled.
    case enabled = "ENABLED"
  }

  /// The state of enrolments; enrolled factors are always required.
  public var state = State.enabled
  /// True if a phone may be enrolled.
  public var allowsPhone = true
  /// True if an authenticator app may be enrolled.
  public var allowsTOTP = true
  /// The state that Firebase's API was given without a phone; nil if the settings say the same.
  public var statedState: String?
  /// The providers that Firebase's API was given while factors are off, or that its emulator was given, separated by
  /// commas; nil if the settings say the same.
  public var statedProviders: String?

  /// Makes the default settings.
  public init() {}
}

/// The requirements for passwords; Firebase's password policy.
public struct PasswordPolicy: Hashable, Sendable, Codable {
  /// The enforcement of a policy.
  public enum Enforcement: String, Hashable, Sendable, Codable, CaseIterable {
    /// A password that does not meet the policy is accepted, and the client is informed.
    case off = "OFF"
    /// A password that does not meet the policy is refused.
    case enforce = "ENFORCE"
  }

  /// The enforcement of the policy.
  public var enforcement = Enforcement.off
  /// The minimum length in UTF-16 units.
  public var minimumLength = 6
  /// The maximum length in UTF-16 units.
  public var maximumLength = 4096
  /// True to require a letter from a to z.
  public var needsLowercase = false
  /// True to require a letter from A to Z.
  public var needsUppercase = false
  /// True to require a digit.
  public var needsDigit = false
  /// True to require one of ``symbols``.
  public var needsSymbol = false
  /// True to refuse sign-ins with passwords that do not meet an enforced policy.
  public var appliesToSignIn = false

  /// Makes the default policy.
  public init() {}

  /// The characters that count as symbols, as Firebase documents them.
  public static let symbols = "^$*.[]{}()?\"!@#%&/\\,><':;|_~`"

  /// Returns Firebase's names of the criteria that a password does not meet.
  public func missing(in password: String) -> [String] {
    var missing: [String] = []
    let length = password.utf16.count
    if length < minimumLength { missing.append("MINIMUM_PASSWORD_LENGTH") }
    if length > maximumLength { missing.append("MAXIMUM_PASSWORD_LENGTH") }
    func need(_ needed: Bool, _ name: String, _ fits: (Character) -> Bool) {
      if needed && !password.contains(where: fits) { missing.append(name) }
    }
    need(needsLowercase, "MISSING_LOWERCASE_CHARACTER") { ("a"..."z").contains($0) }
    need(needsUppercase, "MISSING_UPPERCASE_CHARACTER") { ("A"..."Z").contains($0) }
    need(needsDigit, "MISSING_NUMERIC_CHARACTER") { ("0"..."9").contains($0) }
    need(needsSymbol, "MISSING_NON_ALPHANUMERIC_CHARACTER") { Self.symbols.contains($0) }
    return missing
  }
}

/// The app's functions that may refuse or change a sign-in.
public struct BlockingFunctions: Hashable, Sendable, Codable {
  /// The URLs of HTTP functions by Firebase's event: `beforeCreate`, `beforeSignIn`.
  public var functionURIs: [String: String] = [:]
  /// The Lua script of hooks in use.
  public var script: PolicySource?
  /// True to forward the vendor's ID token.
  public var forwardsIDToken = false
  /// True to forward the vendor's access token.
  public var forwardsAccessToken = false
  /// True to forward the vendor's refresh token.
  public var forwardsRefreshToken = false

  /// Makes settings without functions.
  public init() {}
}
