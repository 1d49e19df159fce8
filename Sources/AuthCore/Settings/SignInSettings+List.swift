extension SignInSettings: SettingRecord {
  package static var blank: SignInSettings { SignInSettings() }
  package static let fields = FieldList(settings.compactMap(\.field))

  package static let settings: [Setting<SignInSettings>] = [
    .flag("isDisabled", \.isDisabled, "All requests except those of admins are refused."),
    .providers("closedProviders", \.closedProviders, "The providers that are closed to sign-ins."),
    .flag("allowsSignUp", \.allowsSignUp, "Clients may create accounts."),
    .flag("allowsDeletion", \.allowsDeletion, "People may delete their own accounts."),
    .flag(
      "hidesAccounts", \.hidesAccounts, "Answers do not reveal which addresses have an account."),
    .domains(
      "authorizedDomains", \.authorizedDomains, "The domains that links and redirects may lead to."),
    .domains(
      "linkDomains", \.linkDomains,
      "The domains, besides the server's own, that links in messages may have."),
    .text(
      "passwordMigration", \.passwordMigration, in: .providerID, title: "A provider's ID",
      "The provider that checks passwords of an old system."
    ).notInherited,
    .text(
      "displayName", \.displayName, in: .name, title: "A tenant's name", "The name of a tenant."
    ).notInherited,
    .table("multiFactor", \.multiFactor, "Second factors."),
    .table("passwordPolicy", \.passwordPolicy, "The rules for new passwords."),
    .table(
      "blockingFunctions", \.blockingFunctions, "Functions and a script that run before a sign-in."),
  ]
}

extension MultiFactorSettings: SettingRecord {
  package static var blank: MultiFactorSettings { MultiFactorSettings() }
  package static let fields = FieldList(settings.compactMap(\.field))

  package static let settings: [Setting<MultiFactorSettings>] = [
    .choice(
      "state", \.state, "Permission to enrol factors. An enrolled factor is always required."),
    .flag("allowsPhone", \.allowsPhone, "Phones can be factors."),
    .flag("allowsTOTP", \.allowsTOTP, "Authenticator apps can be factors."),
    .special(Field("statedState", \.statedState), \.statedState, as: .kept),
    .special(Field("statedProviders", \.statedProviders), \.statedProviders, as: .kept),
  ]
}

extension MultiFactorSettings.State: FieldValue {
  /// Reads a state; `MANDATORY` of an earlier version becomes `ENABLED`, because it never had another effect.
  public init(from decoder: any Decoder) throws {
    self = Self(rawValue: try decoder.singleValueContainer().decode(String.self)) ?? .enabled
  }
}

extension PasswordPolicy: SettingRecord {
  package static var blank: PasswordPolicy { PasswordPolicy() }
  package static let fields = FieldList(settings.compactMap(\.field))

  package static let settings: [Setting<PasswordPolicy>] = [
    .choice("enforcement", \.enforcement, "Enforcement of the policy for new passwords."),
    .number(
      "minimumLength", \.minimumLength, in: minimumLengths, of: "characters",
      "The minimum length of a password."),
    .number(
      "maximumLength", \.maximumLength, in: maximumLengths, of: "characters",
      "The maximum length of a password."),
    .flag("needsLowercase", \.needsLowercase, "A password needs a letter from a to z."),
    .flag("needsUppercase", \.needsUppercase, "A password needs a letter from A to Z."),
    .flag("needsDigit", \.needsDigit, "A password needs a digit."),
    .flag("needsSymbol", \.needsSymbol, "A password needs a symbol."),
    .flag(
      "appliesToSignIn", \.appliesToSignIn,
      "The policy applies to sign-ins too, until the password is changed."),
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
      "beforeCreate", \.functionURIs["beforeCreate"],
      "The function called before an account is created."
    ),
    .url(
      "beforeSignIn", \.functionURIs["beforeSignIn"], "The function called before a sign-in."),
    .flag("forwardsIDToken", \.forwardsIDToken, "Functions get the vendor's ID token."),
    .flag("forwardsAccessToken", \.forwardsAccessToken, "Functions get the vendor's access token."),
    .flag(
      "forwardsRefreshToken", \.forwardsRefreshToken, "Functions get the vendor's refresh token."),
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
