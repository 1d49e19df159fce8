/// Linking and unlinking.
extension EmulatorQuirks {
  /// Tells whether an identity replaces another one of its provider.
  func replaces(_ usually: Bool) -> Bool { replacesLinkedProvider || usually }

  /// Tells whether another subject of a provider with the same address is another person.
  func isOther(_ usually: Bool) -> Bool { usually && !replacesLinkedProvider }

  /// Tells whether a linked identity may be linked again; nil leaves it to the rules.
  func allowsRelinking(_ key: IdentityKey, onWord: Bool) -> Bool? {
    guard replacesLinkedProvider else { return nil }
    if key.provider == .passkey { return false }
    return onWord || [.password, .phone, .emailLink].contains(key.provider)
  }

  /// Refuses a password for the account's own address.
  func refusal(
    ofLinking identity: VerifiedIdentity, to account: Account, _ trace: inout Trace
  ) -> AuthError? {
    guard refusesOwnEmail, identity.provider == .password, let email = identity.email,
      email.matches(account.email)
    else { return nil }
    trace.note("account's e-mail", ["e-mail": email.canonical], "it is this account's own")
    return .emailAlreadyInUse
  }

  /// Tells whether a caller may assert identities without a credential.
  func believes(_ caller: Caller) -> Bool { caller.isAdmin || believesClients }

  /// Tells whether an assertion moves an identity of another account.
  func moves(_ key: IdentityKey) -> Bool { movesAssertedIdentities && key.provider != .passkey }

  /// Tells whether removing a provider also removes the address.
  func removesAddress(with provider: ProviderID) -> Bool {
    unlinkingPasswordRemovesEmail && provider == .password
  }

  /// Tells whether removing a provider without identities is no error.
  func passesOver(_ isOptional: Bool) -> Bool { isOptional || ignoresUnlinkedProviders }

  /// Returns the permission to remove the last way to sign in.
  func permission(isForced: Bool) -> WaysIn.Permission {
    WaysIn.Permission(isForced: isForced, isUsual: allowsUnlinkingLastMethod)
  }

  /// Returns the providers by which ways to sign in are judged; nil for the emulator, whose providers are not all
  /// registered.
  func known(_ providers: ProviderRegistry) -> ProviderRegistry? {
    allowsUnlinkingLastMethod ? nil : providers
  }

  /// Returns the occasion on which a profile is taken over; nil if the profile stays.
  func heard(_ occasion: ProfileOccasion) -> ProfileOccasion? {
    guard replacesProfileAtAutoLink else { return occasion }
    return switch occasion {
    case .autoLink, .takeOver: .takeOver
    case .signIn, .link: nil
    }
  }

  /// Returns the anonymous account whose upgrade the app is asked about.
  func asked(_ upgrade: AccountID?) -> AccountID? { upgradesUnasked ? nil : upgrade }
}
