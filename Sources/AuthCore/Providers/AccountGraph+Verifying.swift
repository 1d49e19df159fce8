extension AccountGraph {
  /// Verifies a credential with its provider.
  func verify(
    _ credential: Credential, _ purpose: VerificationContext.Purpose,
    for account: AccountID? = nil, in scope: Scope, from network: String? = nil
  ) async throws -> VerifiedIdentity {
    try await verify(
      credential, purpose, for: account, by: try await settings(of: scope), in: scope,
      from: network)
  }

  /// Verifies a credential if the settings let the caller use it.
  ///
  /// A closed provider is refused before the credential is examined, so that the answer reveals nothing about it.
  func verifyAllowed(
    _ verification: Verification, with settings: ProjectSettings, by caller: Caller
  ) async throws -> VerifiedIdentity {
    let credential = verification.credential
    try settings.signIn.allow(credential.provider, to: caller)
    do {
      return try await verify(
        credential, verification.purpose, for: verification.account, by: settings, in: caller.scope,
        from: caller.client.network, retriedBy: LinkRetry(linking: verification.account, by: caller)
      )
    } catch let refusal as AuthError where refusal.code == .invalidCredential {
      let migrated = try await migratedPassword(verification, with: settings, by: caller)
      guard let migrated else { throw refusal }
      return migrated
    }
  }

  /// Returns the scope's settings if they let the caller use a provider.
  ///
  /// This check precedes every request to a provider and every message on its behalf. Throws `project-disabled`,
  /// `operation-not-allowed` or `admin-restricted-operation`.
  @discardableResult
  func allowed(_ provider: ProviderID, by caller: Caller) async throws -> ProjectSettings {
    let settings = try await settings(of: caller.scope)
    try settings.signIn.allow(provider, to: caller)
    return settings
  }

  func verify(
    _ credential: Credential, _ purpose: VerificationContext.Purpose, for account: AccountID? = nil,
    by settings: ProjectSettings, in scope: Scope, from network: String? = nil,
    retriedBy retry: LinkRetry? = nil
  ) async throws -> VerifiedIdentity {
    try credential.checkPresented()
    let provider = try providers.provider(
      credential.provider, version: credential.providerVersion)
    guard credential.boundAccount == nil || credential.boundAccount == account else {
      throw AuthError(
        .invalidCredential, "The credential was made to be linked to one account.",
        remedy: "Begin a new sign-in without an account.", step: .state)
    }
    var context = context(
      for: provider.id, purpose, account, by: settings, in: scope, from: network,
      retriedBy: retry)
    if let inherited = try await inheritedSettings(of: provider.id, beside: settings, in: scope) {
      context.settings = inherited
    }
    var identity = try await Self.blaming(provider) { [context] in
      try await provider.verify(credential, context)
    }
    try Self.check(identity, of: provider)
    identity.bound()
    try identity.checkAddress()
    identity.setup = settings.setup(of: provider.id)
    identity.ground = VerificationGround(of: provider.id, in: settings)
    return identity
  }

  /// Runs a provider's code; an error that is not an ``AuthError`` becomes `plugin-failed`.
  ///
  /// Errors of the store pass unchanged: the providers that use the store have no errors of their own.
  static func blaming<Result>(
    _ provider: any AuthProvider, _ body: () async throws -> Result
  ) async throws -> Result {
    do {
      return try await body()
    } catch let error as AuthError {
      throw error
    } catch let error as CancellationError {
      throw error
    } catch let error where provider.id.tellsAboutPeople {
      throw AuthError(
        .pluginFailed, "The provider \(provider.id) failed.",
        remedy: "Read the server's log for its error.", step: .credential, cause: error)
    }
  }

  /// Returns the context of a provider: its settings in the scope, the time, and the codes.
  func context(
    for provider: ProviderID, in scope: Scope, from network: String? = nil
  ) async throws -> VerificationContext {
    context(
      for: provider, .signIn, nil, by: try await settings(of: scope), in: scope, from: network)
  }

  func context(
    for provider: ProviderID, _ purpose: VerificationContext.Purpose, _ account: AccountID?,
    by settings: ProjectSettings, in scope: Scope, from network: String?,
    retriedBy retry: LinkRetry? = nil
  ) -> VerificationContext {
    var codes = codes(in: scope, from: network)
    codes.retry = retry
    var context = VerificationContext(
      scope: scope, purpose: purpose, now: clock(),
      settings: opened(settings.providers[provider.rawValue], of: provider, in: scope),
      codes: codes, messages: services.messages, account: account,
      passwordPolicy: settings.signIn.passwordPolicy,
      passwordHashParameters: settings.passwordHashParameters
    ) { [store] key in
      // One query, whether or not the identity exists: the time of a second one would reveal that it does.
      try await store.read(from: .replica) {
        try $0.account(owning: key, in: scope)?.identity(key)?.secret
      }
    }
    if provider == .phone { context.messageRegions = MessageRegions(KeptMembers(settings)) }
    return context
  }

  /// Returns the settings that a tenant takes from its project; nil if it has its own.
  ///
  /// Custom tokens alone are verified by the project's keys: the app's server signs those of all tenants. A token still
  /// names its tenant, so that it is valid in no other.
  private func inheritedSettings(
    of provider: ProviderID, beside settings: ProjectSettings, in scope: Scope
  ) async throws -> ProviderSettings? {
    let own = settings.providers[provider.rawValue] ?? ProviderConfiguration()
    guard provider == .custom, scope.tenant != nil, own.values.isEmpty, own.sealedSecrets.isEmpty
    else { return nil }
    let project = Scope(project: scope.project)
    let configuration = try await self.settings(of: project).providers[provider.rawValue]
    return configuration.map { opened($0, of: provider, in: project) }
  }

  func codes(in scope: Scope, from network: String? = nil) -> OneTimeCodes {
    OneTimeCodes(
      store: store, secrets: services.quietSecrets, scope: scope, clock: clock, random: random,
      quirks: services.quirks, limits: services.codeLimits(), requester: network)
  }

  /// Returns a provider's settings with a function that opens its secrets.
  package func opened(
    _ configuration: ProviderConfiguration?, of provider: ProviderID, in scope: Scope
  ) -> ProviderSettings {
    ProviderSettings(provider, configuration) { [services] field, sealed in
      let purpose = ProviderConfiguration.purpose(field, of: provider, in: scope)
      return try services.quietSecrets.open(sealed, for: purpose)
    }
  }

  /// Checks a provider's answer like any other input.
  static func check(
    _ identity: VerifiedIdentity, of provider: any AuthProvider
  ) throws(AuthError) {
    try identity.checkBounds()
    guard let key = identity.key else { return }
    guard !key.subject.isEmpty, key.provider == provider.id else {
      throw AuthError(
        .invalidCredential, "The provider \(provider.id) returned no subject of its own.",
        remedy: "Have the plug-in return the vendor's immutable ID of the person.", step: .profile)
    }
    let isAddressItself =
      [.password, .emailLink].contains(provider.manifest.kind)
      || provider.manifest.takesAddressesAsSubjects
    if !isAddressItself, let email = identity.profile.email, key.subject.contains("@"),
      (try? EmailAddress(key.subject)) != nil,
      (try? EmailAddress(email))?.matches(try? EmailAddress(key.subject)) == true
    {
      throw AuthError(
        .invalidCredential,
        "The provider \(provider.id) returned an e-mail address as the subject.",
        field: "subject",
        remedy: "Have it return the vendor's immutable ID: an address may get another owner.",
        step: .profile)
    }
  }
}

extension SignInSettings {
  /// Throws if the scope or the provider is closed to a caller.
  fileprivate func allow(_ provider: ProviderID, to caller: Caller) throws(AuthError) {
    try checkOpen(to: caller)
    try check(provider, by: caller)
  }
}
