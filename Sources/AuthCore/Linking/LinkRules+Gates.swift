/// Gates that a scope's settings close, before and after the rules about identities.
extension RuleEvaluation {
  /// Refuses a request that is closed to the caller, whatever its credential.
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

  /// Refuses a credential whose provider was removed or reconfigured after the verification.
  ///
  /// Pending credentials, sign-ins that wait for a second factor and sign-ins under way all pass here.
  mutating func refuseChangedProvider(_ request: LinkRequest) -> Decision? {
    guard let identity = request.identity, let setup = identity.setup else { return nil }
    let isGone =
      providers.map { $0[identity.provider] == nil && identity.provider != .passkey } ?? false
    let now = settings.setup(of: identity.provider)
    guard isGone || setup != now else { return nil }
    trace.note(
      "provider as it was", ["provider": identity.provider.rawValue, "then": setup, "now": now],
      isGone ? "it is gone" : "it changed since the credential was verified")
    return .refuse(.providerChanged(identity.provider))
  }

  /// Refuses to create an account if only an admin may.
  ///
  /// A custom token is exempt, because the app's own server signed it.
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
  /// The provider of the presented credential.
  fileprivate var enteringProvider: ProviderID? {
    switch self {
    case .signIn(let identity), .signUp(let identity), .link(let identity, _): identity.provider
    case .assert, .unlink: nil
    }
  }
}
