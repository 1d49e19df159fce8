/// The refusals that follow from the settings alone. An admin is exempt.
extension SignInSettings {
  /// Throws `project-disabled` if the scope is closed to everyone but admins.
  public func checkOpen(to caller: Caller) throws(AuthError) {
    guard isDisabled, !caller.isAdmin else { return }
    throw AuthError(
      .projectDisabled, "Signing in is disabled here.",
      remedy: "An admin can enable it with settings.set { signIn = { isDisabled = false } }.",
      step: .decision)
  }

  /// Throws if a provider is closed: `operation-not-allowed`, or `admin-restricted-operation` for anonymous accounts.
  public func check(_ provider: ProviderID, by caller: Caller) throws(AuthError) {
    guard closedProviders.contains(provider), !caller.isAdmin else { return }
    guard provider != .anonymous else {
      throw .adminRestricted("Anonymous accounts are closed.", "closedProviders = { … }")
    }
    throw AuthError(
      .operationNotAllowed, "Signing in with \(provider) is closed.", field: "providerID",
      remedy: "An admin can open it with settings.set { signIn = { closedProviders = { … } } }.",
      step: .decision)
  }

  /// Throws `admin-restricted-operation` if only an admin may create accounts.
  public func checkSignUp(by caller: Caller) throws(AuthError) {
    guard !allowsSignUp, !caller.isAdmin else { return }
    throw .adminRestricted("Only an admin may open accounts here.", "allowsSignUp = true")
  }

  /// Throws `admin-restricted-operation` if only an admin may delete accounts.
  public func checkDeletion(by caller: Caller) throws(AuthError) {
    guard !allowsDeletion, !caller.isAdmin else { return }
    throw .adminRestricted("Only an admin may delete accounts here.", "allowsDeletion = true")
  }
}

extension MultiFactorSettings {
  /// Throws `operation-not-allowed` if a second factor of this kind may not be enrolled.
  public func check(_ kind: SecondFactor.Kind) throws(AuthError) {
    guard state != .disabled else {
      throw .factorsClosed("Second factors are disabled here.", "state = \"ENABLED\"")
    }
    switch kind {
    case .phone where !allowsPhone:
      throw .factorsClosed("A phone cannot be a second factor here.", "allowsPhone = true")
    case .totp where !allowsTOTP:
      throw .factorsClosed(
        "An authenticator app cannot be a second factor here.", "allowsTOTP = true")
    default: return
    }
  }
}

extension AuthError {
  fileprivate static func factorsClosed(_ message: String, _ setting: String) -> AuthError {
    notAllowed(
      message, remedy: "settings.set { signIn = { multiFactor = { \(setting) } } }")
  }

  static func adminRestricted(_ message: String, _ setting: String) -> AuthError {
    AuthError(
      .adminRestrictedOperation, message,
      remedy: "An admin can do it, or allow it with settings.set { signIn = { \(setting) } }.",
      step: .decision)
  }
}
