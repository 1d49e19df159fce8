/// Which ways in a scope has open, and what it asks of them.
public struct SignInSettings: Hashable, Sendable, Codable {
  /// Nobody but an admin may do anything; Firebase's `disableAuth` of a tenant.
  public var isDisabled = false
  /// Ways of signing in that are closed although there is a provider for them.
  public var closedProviders: Set<ProviderID> = []
  /// Whether somebody who is not an admin may open an account.
  public var allowsSignUp = true
  /// Whether somebody who is not an admin may delete the own account.
  public var allowsDeletion = true
  public var multiFactor = MultiFactorSettings()
  /// Whether answers keep to themselves which addresses have an account; Firebase's e-mail enumeration
  /// protection, which production has on for new projects.
  public var hidesAccounts = true
  public var passwordPolicy = PasswordPolicy()
  /// The domains that links and redirects may lead to; `localhost` always may.
  public var authorizedDomains: [String] = []
  public var blockingFunctions = BlockingFunctions()
  /// What people call the tenant; nil for a project.
  public var displayName: String?

  public init() {}
}

/// Whether second factors are asked for, and which kinds.
public struct MultiFactorSettings: Hashable, Sendable, Codable {
  /// Whether second factors can be enrolled.
  ///
  /// Firebase's `MANDATORY` is none of them. A person enrols with an ID token, which an app's servers take like any
  /// other, so nothing here could keep people without a factor out.
  public enum State: String, Hashable, Sendable, Codable {
    case disabled = "DISABLED"
    case enabled = "ENABLED"
  }

  /// Whether factors may be enrolled; an enrolled one is asked for whatever stands here.
  public var state = State.enabled
  public var allowsPhone = true
  public var allowsTOTP = true

  public init() {}
}

/// What a password has to look like; Firebase's password policy.
public struct PasswordPolicy: Hashable, Sendable, Codable {
  public enum Enforcement: String, Hashable, Sendable, Codable {
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

  /// What a password lacks, each by Firebase's name of the criterion; empty where it meets the policy.
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

/// Older stores lack what was added later, which is then as it is by default.
extension SignInSettings {
  public init(from decoder: any Decoder) throws {
    let stored = try decoder.container(keyedBy: CodingKeys.self)
    self.init()
    try stored.read(.isDisabled, into: &isDisabled)
    try stored.read(.closedProviders, into: &closedProviders)
    try stored.read(.allowsSignUp, into: &allowsSignUp)
    try stored.read(.allowsDeletion, into: &allowsDeletion)
    try stored.read(.multiFactor, into: &multiFactor)
    try stored.read(.hidesAccounts, into: &hidesAccounts)
    try stored.read(.passwordPolicy, into: &passwordPolicy)
    try stored.read(.authorizedDomains, into: &authorizedDomains)
    try stored.read(.blockingFunctions, into: &blockingFunctions)
    try stored.read(.displayName, into: &displayName)
  }
}

extension MultiFactorSettings {
  public init(from decoder: any Decoder) throws {
    let stored = try decoder.container(keyedBy: CodingKeys.self)
    self.init()
    // A store of an earlier version may have `MANDATORY`, which never meant more than `ENABLED`.
    if let text = try stored.decodeIfPresent(String.self, forKey: .state) {
      state = State(rawValue: text) ?? .enabled
    }
    try stored.read(.allowsPhone, into: &allowsPhone)
    try stored.read(.allowsTOTP, into: &allowsTOTP)
  }
}

extension PasswordPolicy {
  public init(from decoder: any Decoder) throws {
    let stored = try decoder.container(keyedBy: CodingKeys.self)
    self.init()
    try stored.read(.enforcement, into: &enforcement)
    try stored.read(.minimumLength, into: &minimumLength)
    try stored.read(.maximumLength, into: &maximumLength)
    try stored.read(.needsLowercase, into: &needsLowercase)
    try stored.read(.needsUppercase, into: &needsUppercase)
    try stored.read(.needsDigit, into: &needsDigit)
    try stored.read(.needsSymbol, into: &needsSymbol)
    try stored.read(.appliesToSignIn, into: &appliesToSignIn)
  }
}

extension BlockingFunctions {
  public init(from decoder: any Decoder) throws {
    let stored = try decoder.container(keyedBy: CodingKeys.self)
    self.init()
    try stored.read(.functionURIs, into: &functionURIs)
    try stored.read(.script, into: &script)
    try stored.read(.forwardsIDToken, into: &forwardsIDToken)
    try stored.read(.forwardsAccessToken, into: &forwardsAccessToken)
    try stored.read(.forwardsRefreshToken, into: &forwardsRefreshToken)
  }
}

extension KeyedDecodingContainer {
  /// Reads a value where there is one, and else leaves what is there.
  func read<Value: Decodable>(_ key: Key, into value: inout Value) throws {
    value = try decodeIfPresent(Value.self, forKey: key) ?? value
  }
}
