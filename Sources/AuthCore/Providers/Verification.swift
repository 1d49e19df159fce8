/// A credential to verify, with the purpose.
struct Verification: Sendable {
  let credential: Credential
  let purpose: VerificationContext.Purpose
  /// The action under which a refusal is recorded.
  let action: Action
  /// The account that the identity is to be linked to.
  var account: AccountID?

  init(
    _ credential: Credential, _ purpose: VerificationContext.Purpose, action: Action,
    account: AccountID? = nil
  ) {
    self.credential = credential
    self.purpose = purpose
    self.action = action
    self.account = account
  }

  static func toLink(_ credential: Credential, to account: AccountID) -> Verification {
    Verification(credential, .enroll, action: .link, account: account)
  }
}

/// The settings of a scope that determine whether a credential is genuine.
struct VerificationGround: Hashable, Sendable {
  private let configuration: ProviderConfiguration?
  private let passwordPolicy: PasswordPolicy
  private let passwordHashParameters: [String: String]
  /// The old system of passwords, and its settings.
  private let migration: String?
  private let migrationConfiguration: ProviderConfiguration?

  init(of provider: ProviderID, in settings: ProjectSettings) {
    configuration = settings.providers[provider.rawValue]
    passwordPolicy = settings.signIn.passwordPolicy
    passwordHashParameters = settings.passwordHashParameters
    migration = provider == .password ? settings.signIn.passwordMigration : nil
    migrationConfiguration = migration.flatMap { settings.providers[$0] }
  }
}

extension VerifiedIdentity {
  /// Tells whether settings are others than those that the identity was verified with, of a provider that is still the same.
  ///
  /// A provider that was set up anew is another one, which the rules refuse.
  func wasVerifiedOtherwise(than settings: ProjectSettings) -> Bool {
    guard let ground, setup == settings.setup(of: provider) else { return false }
    return ground != VerificationGround(of: provider, in: settings)
  }
}
