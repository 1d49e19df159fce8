extension AccountGraph {
  /// Asks the old system for a password that was refused here; returns its person's new password identity.
  ///
  /// Nil if there is no old system for this request, or if it refuses the password too. Throws
  /// `network-request-failed` if it cannot be asked. No transaction is open meanwhile, and nothing is written.
  func migratedPassword(
    _ verification: Verification, with settings: ProjectSettings, by caller: Caller
  ) async throws -> VerifiedIdentity? {
    guard let asked = OldPassword(verification, settings, caller) else { return nil }
    let now = clock()
    let standing = try await store.read {
      try $0.snapshot(.migration(of: asked.email, in: caller.scope, at: now))
        .migrationStanding(of: asked.email, at: now)
    }
    guard asked.isDue(standing) else {
      try await Task.sleep(for: lastSeen.migrationPace.duration(choosing: random()))
      return nil
    }
    let begin = ContinuousClock.now
    guard let person = try await person(asked) else {
      lastSeen.migrationPace.note(ContinuousClock.now - begin)
      return nil
    }
    try settings.signIn.passwordPolicy.checkAtSignIn(asked.password)
    return try await identity(of: person, asked, keeping: verification.credential)
  }

  /// Returns the old system's person; nil for a wrong password, an unknown person or another address.
  private func person(_ asked: OldPassword) async throws -> VerifiedIdentity? {
    do {
      let provider = try providers.provider(asked.system)
      guard PasswordMigration.isPossible(with: provider) else {
        throw AuthError(
          .operationNotAllowed,
          "The provider \(asked.system) checks no passwords of an old system.",
          field: "signIn.passwordMigration",
          remedy: "Name a provider with the credential \(PasswordMigration.builderName).")
      }
      let context = context(
        for: asked.system, .signIn, nil, by: asked.settings, in: asked.caller.scope,
        from: asked.caller.client.network)
      var person = try await provider.verify(asked.credential, context)
      try Self.check(person, of: provider)
      person.bound()
      // The old system may write the address in another way, but may not answer with another one.
      guard person.account == nil, person.email?.matches(asked.email) ?? true else { return nil }
      return person
    } catch let error as AuthError where error.code == .invalidCredential {
      return nil
    } catch let error as CancellationError {
      throw error
    } catch {
      throw AuthError.oldSystemFailed(error)
    }
  }

  /// Makes the password identity of a person of the old system, with a hash of our own.
  ///
  /// Throws `weak-password` for a password that is shorter than every policy allows.
  private func identity(
    of person: VerifiedIdentity, _ asked: OldPassword, keeping credential: Credential
  ) async throws -> VerifiedIdentity {
    // The policy for new passwords does not apply: the person chose this one long ago.
    var lenient = asked.settings
    lenient.signIn.passwordPolicy = PasswordPolicy()
    let chosen = try await verify(credential, .enroll, by: lenient, in: asked.caller.scope)
    var identity = VerifiedIdentity(
      provider: .password, key: .password(asked.email),
      profile: IdentityProfile(
        displayName: person.profile.displayName, photoURL: person.profile.photoURL),
      emailVerified: person.emailVerified && person.email != nil, email: asked.email,
      secret: chosen.secret)
    identity.uses = person.uses
    identity.migratedFrom = person.provider
    identity.setup = asked.settings.setup(of: .password)
    identity.ground = VerificationGround(of: .password, in: asked.settings)
    return identity
  }
}

/// A password of a sign-in, for the old system of the scope.
private struct OldPassword: Sendable {
  let system: ProviderID
  let email: EmailAddress
  let password: String
  let settings: ProjectSettings
  let caller: Caller

  /// Reads a sign-in with an address and a password; nil for any other request, and if there is no old system.
  init?(_ verification: Verification, _ settings: ProjectSettings, _ caller: Caller) {
    let credential = verification.credential
    guard let system = settings.signIn.passwordMigration, verification.action == .signIn,
      verification.purpose == .signIn, verification.account == nil,
      credential.provider == .password, let text = credential["email"],
      let email = try? EmailAddress(text), let password = credential["password"],
      // The provider of passwords refuses longer ones, so none is stored.
      password.utf8.count <= 4096
    else { return nil }
    self.system = ProviderID(system)
    self.email = email
    self.password = password
    self.settings = settings
    self.caller = caller
  }

  var credential: Credential {
    Credential(
      provider: system, builder: PasswordMigration.builderName,
      fields: ["email": email.text, "password": password])
  }

  /// Tells whether the old system is asked for the password of the address.
  func isDue(_ standing: MigrationStanding) -> Bool {
    switch standing {
    case .awaiting: true
    case .unknown: (try? settings.signIn.checkSignUp(by: caller)) != nil
    case .closed: false
    }
  }
}
