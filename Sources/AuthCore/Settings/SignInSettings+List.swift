extension SignInSettings: SettingRecord {
  package static var blank: SignInSettings { SignInSettings() }
  package static let fields = FieldList(settings.compactMap(\.field))

  package static let settings: [Setting<SignInSettings>] = [
    .flag("isDisabled", \.isDisabled, "Only an admin may do anything."),
    .providers("closedProviders", \.closedProviders, "The ways in that are closed."),
    .flag("allowsSignUp", \.allowsSignUp, "Clients may open accounts."),
    .flag("allowsDeletion", \.allowsDeletion, "A person may delete the own account."),
    .flag("hidesAccounts", \.hidesAccounts, "Answers keep which addresses have an account."),
    .domains(
      "authorizedDomains", \.authorizedDomains, "The domains that links and redirects lead to."),
    .text(
      "displayName", \.displayName, in: .name, title: "A tenant's name", "The name of a tenant."
    ).notInherited,
    .table("multiFactor", \.multiFactor, "Second factors."),
    .table("passwordPolicy", \.passwordPolicy, "What a password has to look like."),
    .table("blockingFunctions", \.blockingFunctions, "What is asked before a sign-in."),
  ]
}

extension MultiFactorSettings: SettingRecord {
  package static var blank: MultiFactorSettings { MultiFactorSettings() }
  package static let fields = FieldList(settings.compactMap(\.field))

  package static let settings: [Setting<MultiFactorSettings>] = [
    .choice("state", \.state, "Factors can be enrolled; an enrolled one is always asked for."),
    .flag("allowsPhone", \.allowsPhone, "A phone can be a factor."),
    .flag("allowsTOTP", \.allowsTOTP, "An authenticator app can be a factor."),
  ]
}

extension MultiFactorSettings.State: FieldValue {
  /// Reads a state; `MANDATORY` from an earlier version counts as `ENABLED`, which it always meant.
  public init(from decoder: any Decoder) throws {
    self = Self(rawValue: try decoder.singleValueContainer().decode(String.self)) ?? .enabled
  }
}

extension PasswordPolicy: SettingRecord {
  package static var blank: PasswordPolicy { PasswordPolicy() }
  package static let fields = FieldList(settings.compactMap(\.field))

  package static let settings: [Setting<PasswordPolicy>] = [
    .choice("enforcement", \.enforcement, "A password that does not meet the policy is refused."),
    .number(
      "minimumLength", \.minimumLength, in: minimumLengths, of: "characters",
      "The shortest password."),
    .number(
      "maximumLength", \.maximumLength, in: maximumLengths, of: "characters",
      "The longest password."),
    .flag("needsLowercase", \.needsLowercase, "A password has a letter of a to z."),
    .flag("needsUppercase", \.needsUppercase, "A password has a letter of A to Z."),
    .flag("needsDigit", \.needsDigit, "A password has a digit."),
    .flag("needsSymbol", \.needsSymbol, "A password has a symbol."),
    .flag(
      "appliesToSignIn", \.appliesToSignIn,
      "A sign-in is refused as well, until the password is changed."),
  ]

  /// The minimum lengths that Firebase's policies accept.
  package static let minimumLengths: ClosedRange<Int64> = 6...30
  package static let maximumLengths: ClosedRange<Int64> = 6...4096
}

extension BlockingFunctions: SettingRecord {
  package static var blank: BlockingFunctions { BlockingFunctions() }
  package static let fields = FieldList(settings.compactMap(\.field))

  package static let settings: [Setting<BlockingFunctions>] = [
    .url(
      "beforeCreate", \.functionURIs["beforeCreate"], "The function asked before an account opens."
    ),
    .url(
      "beforeSignIn", \.functionURIs["beforeSignIn"], "The function asked before a sign-in."),
    .flag("forwardsIDToken", \.forwardsIDToken, "Functions see the vendor's ID token."),
    .flag("forwardsAccessToken", \.forwardsAccessToken, "Functions see its access token."),
    .flag("forwardsRefreshToken", \.forwardsRefreshToken, "Functions see its refresh token."),
    .special(
      Field("script", \.script), \.script, as: .elsewhere(use: "hooks.use \"FILE\""),
      "The script of hooks.", shown: { .string($0?.name ?? "none") },
      differences: { SettingChange.named("script", from: $0?.summary, to: $1?.summary) },
      texts: { $0?.boundedTexts("script") ?? [] }),
    .special(
      Field(later: "functionURIs", encoding: \.functionURIs), \.functionURIs, as: .kept,
      texts: { uris in
        uris.flatMap { event, uri in
          [
            BoundedText(
              text: event, bounds: .name, title: "The name of an event", field: functions),
            BoundedText(
              text: uri, bounds: .url, title: "The address of a function", field: functions),
          ]
        }
      }),
  ]

  private static let functions = "blockingFunctions"
}

extension ProjectSettings.Cardinality: FieldValue {}
extension PasswordPolicy.Enforcement: FieldValue {}
extension ProfileOnSignIn: FieldValue {}
