/// Second factors: who is asked for one, and when.
extension EmulatorQuirks {
  /// Returns the quirks under a project's settings.
  func under(_ settings: ProjectSettings) -> EmulatorQuirks {
    var quirks = self
    quirks.skipsFactors = skipsClosedFactors && settings.signIn.multiFactor.state == .disabled
    return quirks
  }

  /// Tells whether a sign-in needs no second factor, whatever the account has.
  func skipsFactor(of provider: ProviderID) -> Bool {
    skipsFactors || (skipsFactorForCustomTokens && provider == .custom)
  }

  /// Tells whether a session continues without a second factor that was enrolled after it began.
  func goesOn(by path: SignInPath, with provider: ProviderID) -> Bool {
    skipsFactor(of: provider) || (keepsSessions && path == .renewal)
      || (linksBeforeSecondFactor && path == .link && provider == .password)
  }

  /// Tells whether a session shows its second factor again; every link does.
  func asksAgain(on path: SignInPath) -> Bool { linksBeforeSecondFactor && path == .link }

  /// Returns the decision that is carried out although a second factor is still to be shown.
  func savedEarly(_ decision: Decision) -> Decision {
    guard linksBeforeSecondFactor, case .secondFactor(_, let then) = decision else {
      return decision
    }
    return switch then {
    case .autoLink, .takeOver, .link: then
    default: decision
    }
  }

  /// Tells whether the session of a change that was carried out waits for a second factor.
  func waits(_ session: CredentialSession, by provider: ProviderID, for account: Account) -> Bool {
    guard linksBeforeSecondFactor, !account.secondFactors.isEmpty else { return false }
    guard !goesOn(by: session.path, with: provider) else { return false }
    return asksAgain(on: session.path)
      || !account.secondFactors.contains { $0.id == session.factor?.id }
  }

  /// Tells whether a change is saved before the sign-in, which its second factor completes.
  func signsInLater(to account: Account, by provider: ProviderID) -> Bool {
    linksBeforeSecondFactor && !account.secondFactors.isEmpty && !skipsFactor(of: provider)
  }
}
