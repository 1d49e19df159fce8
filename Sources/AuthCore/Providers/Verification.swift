/// A credential that is to be verified, and for what.
struct Verification: Sendable {
  let credential: AuthCredential
  let purpose: VerificationContext.Purpose
  /// The action that a refusal is kept as.
  let action: Action
  /// The account that the identity is to be linked to.
  var account: AccountID?

  init(
    _ credential: AuthCredential, _ purpose: VerificationContext.Purpose, action: Action,
    account: AccountID? = nil
  ) {
    self.credential = credential
    self.purpose = purpose
    self.action = action
    self.account = account
  }

  static func toLink(_ credential: AuthCredential, to account: AccountID) -> Verification {
    Verification(credential, .enroll, action: .link, account: account)
  }
}

/// The age of the settings that a credential is verified with.
public enum SettingsAge: Hashable, Sendable {
  /// As they are now, which is a question to the store.
  case current
  /// As they were seen last: for what is decided next, which compares them and verifies again if they were changed.
  case lastSeen
}

/// What of a scope's settings decides whether a credential is genuine.
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

extension AccountGraph {
  /// How often a credential is verified whose provider's settings change each time.
  private static let verifications = 4

  /// Has the provider of a credential say whose it is; keeps why not.
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
        } catch let error as AuthError {
          // The fault may be one of settings that are not these any more.
          guard try await settings(of: caller.scope) != seen else { throw error }
        }
      }
      return try await verifyAllowed(
        verification, with: try await settings(of: caller.scope), by: caller)
    }
  }

  /// Verifies a credential with the settings as last seen, and decides what is asked with it; verifies again if the
  /// transaction sees others.
  ///
  /// An identity that was verified before is the first to be decided on.
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
