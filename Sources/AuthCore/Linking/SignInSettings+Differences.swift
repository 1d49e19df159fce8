extension SignInSettings {
  /// What is different from other settings, by name, each as text before and after.
  func differences(
    from old: SignInSettings
  ) -> [(name: String, before: String?, after: String?)] {
    [
      ("isDisabled", "\(old.isDisabled)", "\(isDisabled)"),
      ("closedProviders", old.closedNames, closedNames),
      ("allowsSignUp", "\(old.allowsSignUp)", "\(allowsSignUp)"),
      ("allowsDeletion", "\(old.allowsDeletion)", "\(allowsDeletion)"),
      ("hidesAccounts", "\(old.hidesAccounts)", "\(hidesAccounts)"),
      (
        "authorizedDomains", old.authorizedDomains.joined(separator: ", "),
        authorizedDomains.joined(separator: ", ")
      ),
      ("displayName", old.displayName, displayName),
    ]
      + multiFactor.differences(from: old.multiFactor)
      + passwordPolicy.differences(from: old.passwordPolicy)
      + blockingFunctions.differences(from: old.blockingFunctions)
  }

  private var closedNames: String {
    closedProviders.map(\.rawValue).sorted().joined(separator: ", ")
  }
}

extension MultiFactorSettings {
  fileprivate func differences(
    from old: MultiFactorSettings
  ) -> [(name: String, before: String?, after: String?)] {
    [
      ("multiFactor.state", old.state.rawValue, state.rawValue),
      ("multiFactor.allowsPhone", "\(old.allowsPhone)", "\(allowsPhone)"),
      ("multiFactor.allowsTOTP", "\(old.allowsTOTP)", "\(allowsTOTP)"),
    ]
  }
}

extension PasswordPolicy {
  fileprivate func differences(
    from old: PasswordPolicy
  ) -> [(name: String, before: String?, after: String?)] {
    [
      ("enforcement", old.enforcement.rawValue, enforcement.rawValue),
      ("minimumLength", "\(old.minimumLength)", "\(minimumLength)"),
      ("maximumLength", "\(old.maximumLength)", "\(maximumLength)"),
      ("needsLowercase", "\(old.needsLowercase)", "\(needsLowercase)"),
      ("needsUppercase", "\(old.needsUppercase)", "\(needsUppercase)"),
      ("needsDigit", "\(old.needsDigit)", "\(needsDigit)"),
      ("needsSymbol", "\(old.needsSymbol)", "\(needsSymbol)"),
      ("appliesToSignIn", "\(old.appliesToSignIn)", "\(appliesToSignIn)"),
    ].map { ("passwordPolicy.\($0.0)", $0.1, $0.2) }
  }
}

extension BlockingFunctions {
  fileprivate func differences(
    from old: BlockingFunctions
  ) -> [(name: String, before: String?, after: String?)] {
    let events = Set(functionURIs.keys).union(old.functionURIs.keys).sorted()
    return events.map {
      ("blockingFunctions.\($0)", old.functionURIs[$0], functionURIs[$0])
    } + [
      ("blockingFunctions.script", old.script?.summary, script?.summary),
      ("blockingFunctions.forwardsIDToken", "\(old.forwardsIDToken)", "\(forwardsIDToken)"),
      (
        "blockingFunctions.forwardsAccessToken", "\(old.forwardsAccessToken)",
        "\(forwardsAccessToken)"
      ),
      (
        "blockingFunctions.forwardsRefreshToken", "\(old.forwardsRefreshToken)",
        "\(forwardsRefreshToken)"
      ),
    ]
  }
}

extension PolicySource {
  /// Its name, and how long its text is, by which another version of one file shows.
  fileprivate var summary: String { "\(name) (\(text.utf8.count) bytes)" }
}
