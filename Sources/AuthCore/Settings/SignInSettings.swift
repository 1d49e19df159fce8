/// Which ways in a scope has open, and what it asks of them.
public struct SignInSettings: Hashable, Sendable, Codable {
  /// Nobody but an admin may do anything; Firebase's `disableAuth` of a tenant.
  public var isDisabled = false
  /// Ways of signing in that are closed although there is a provider for them.
  public var closedProviders: Set<ProviderID> = []
  /// True if clients may open accounts.
  public var allowsSignUp = true
  /// True if clients may delete their own account.
  public var allowsDeletion = true
  public var multiFactor = MultiFactorSettings()
  /// Whether answers keep to themselves which addresses have an account; Firebase's e-mail enumeration
  /// protection, which production has on for new projects.
  public var hidesAccounts = true
  public var passwordPolicy = PasswordPolicy()
  /// The domains that links and redirects may lead to; `localhost` always may.
  public var authorizedDomains: [String] = []
  public var blockingFunctions = BlockingFunctions()
  /// The name of the tenant; nil for a project.
  public var displayName: String?

  public init() {}
}

/// Second factors: their state, and the kinds there are.
public struct MultiFactorSettings: Hashable, Sendable, Codable {
  /// True if second factors can be enrolled.
  ///
  /// Firebase's `MANDATORY` is none of them. A person enrols with an ID token, which an app's servers take like any
  /// other, so nothing here could keep people without a factor out.
  public enum State: String, Hashable, Sendable, Codable, CaseIterable {
    case disabled = "DISABLED"
    case enabled = "ENABLED"
  }

  /// True if factors may be enrolled; an enrolled one is asked for whatever stands here.
  public var state = State.enabled
  public var allowsPhone = true
  public var allowsTOTP = true

  public init() {}
}

/// The form of passwords; Firebase's password policy.
public struct PasswordPolicy: Hashable, Sendable, Codable {
  public enum Enforcement: String, Hashable, Sendable, Codable, CaseIterable {
    /// A password that does not meet the policy is taken, and the client is told.
    case off = "OFF"
    case enforce = "ENFORCE"
  }

  public var enforcement = Enforcement.off
  public var minimumLength = 6
  public var maximumLength = 4096
  public var needsLowercase = false
  public var needsUppercase = false
  public var needsDigit = false
  public var needsSymbol = false
  /// Refuses a sign-in with a password that does not meet an enforced policy.
  public var appliesToSignIn = false

  public init() {}

  /// The characters that count as symbols, as Firebase documents them.
  public static let symbols = "^$*.[]{}()?\"!@#%&/\\,><':;|_~`"

  /// The criteria that a password lacks, by Firebase's names; empty if it meets the policy.
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

/// The functions of the app's that may refuse or change a sign-in.
public struct BlockingFunctions: Hashable, Sendable, Codable {
  /// Where an HTTP function is, by Firebase's event: `beforeCreate`, `beforeSignIn`.
  public var functionURIs: [String: String] = [:]
  /// The Lua script of hooks, as an admin put it to use.
  public var script: PolicySource?
  public var forwardsIDToken = false
  public var forwardsAccessToken = false
  public var forwardsRefreshToken = false

  public init() {}
}
