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

  init(of provider: ProviderID, in settings: ProjectSettings) {
    configuration = settings.providers[provider.rawValue]
    passwordPolicy = settings.signIn.passwordPolicy
    passwordHashParameters = settings.passwordHashParameters
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

extension AccountGraph {
  /// The maximum number of verifications of a credential whose provider's settings keep changing.
  private static let verifications = 4

  /// Verifies a credential with its provider, and records a refusal in the audit.
  func identity(
    by verification: Verification, with age: SettingsAge, for caller: Caller
  ) async throws -> VerifiedIdentity {
    try await audited(
      verification.action, of: verification.account, showing: .credential(verification.credential),
      by: caller
    ) {
      if verification.account != nil { try await requireHeld(by: caller) }
      if age == .lastSeen, let seen = lastSeen.settings(of: caller.scope) {
        do {
          return try await verifyAllowed(verification, with: seen, by: caller)
        } catch let error where !(error is CancellationError) {
          // The refusal may come from outdated settings.
          guard try await settings(of: caller.scope) != seen else { throw error }
        }
      }
      return try await verifyAllowed(
        verification, with: try await settings(of: caller.scope), by: caller)
    }
  }

  /// Verifies a credential with the settings as last seen, and decides the request.
  ///
  /// It verifies again if the transaction sees other settings. An identity that was already verified is used for the
  /// first attempt.
  func decideLink(
    by verification: Verification, startingWith first: VerifiedIdentity? = nil,
    giving session: CredentialSession? = nil, for caller: Caller,
    keeping: (VerifiedIdentity) -> CredentialKeeping? = { _ in nil },
    _ request: (VerifiedIdentity) -> LinkRequest
  ) async throws -> (receipt: Receipt, verdict: Verdict) {
    for attempt in 0..<Self.verifications {
      let identity: VerifiedIdentity
      if attempt == 0, let first {
        identity = first
      } else {
        identity = try await self.identity(
          by: verification, with: attempt == 0 ? .lastSeen : .current, for: caller)
      }
      let performed = try await performLink(
        request(identity), giving: session, keeping: keeping(identity), by: caller)
      guard case .wanting(.verification) = performed else { return try performed.get() }
    }
    throw AuthError(
      .tooMuchContention, "The provider's settings changed each time the credential was verified.",
      remedy: "Try again.", step: .commit)
  }
}
