/// What a scope's settings close, before and after the rules about identities.
extension RuleRun {
  /// Refuses what is closed to the caller, whatever the credential.
  mutating func refuseClosed(_ request: LinkRequest) -> Decision? {
    do throws(AuthError) {
      try settings.signIn.checkOpen(to: caller)
      if let provider = request.enteringProvider {
        try settings.signIn.check(provider, by: caller)
      }
      return nil
    } catch {
      trace.note(
        "open", ["provider": request.enteringProvider?.rawValue, "caller": caller.actor], "no")
      return .refuse(error)
    }
  }

  /// Refuses to open an account where only an admin may.
  ///
  /// Whoever has a custom token was sent by the app itself.
  mutating func refuseSignUp(_ decision: Decision, _ request: LinkRequest) -> Decision? {
    guard decision.opensAccount, request.enteringProvider != .custom else { return nil }
    do throws(AuthError) {
      try settings.signIn.checkSignUp(by: caller)
      return nil
    } catch {
      trace.note("open", ["setting": "signIn.allowsSignUp off", "caller": caller.actor], "no")
      return .refuse(error)
    }
  }
}

extension Decision {
  fileprivate var opensAccount: Bool {
    switch self {
    case .createAccount, .createBeside: true
    default: false
    }
  }
}

extension LinkRequest {
  /// The provider whose credential came.
  fileprivate var enteringProvider: ProviderID? {
    switch self {
    case .signIn(let identity), .signUp(let identity), .link(let identity, _): identity.provider
    case .assert, .unlink: nil
    }
  }
}
