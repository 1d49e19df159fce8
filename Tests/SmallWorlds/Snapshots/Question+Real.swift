import AuthCore

extension Question {
  /// The settings as the rules see them.
  var projectSettings: ProjectSettings {
    var all = ProjectSettings()
    all.oneAccountPerEmail = !settings.contains(.sharedAddresses)
    all.identitiesPerProvider = settings.contains(.manyIdentities) ? .many : .one
    all.allowsUnlinkingLastMethod = settings.contains(.lastMayGo)
    all.signIn.allowsSignUp = !settings.contains(.noSignUp)
    all.signIn.hidesAccounts = !settings.contains(.tellsAddresses)
    all.mergePolicy = settings.contains(.policy) ? MergingPolicy.source : nil
    for (place, provider) in SnapshotNames.providers.enumerated() where settings.trusts(place) {
      all.trust[provider] = .always
    }
    return all
  }

  /// The address of the credential, if it proves the mailbox.
  var provenEmail: EmailAddress? {
    switch kind {
    case .signInVendor, .linkVendor:
      claim == .verified && settings.trusts(provider) ? SnapshotNames.addresses[address] : nil
    case .signInLink, .linkLink: SnapshotNames.addresses[address]
    default: nil
    }
  }

  /// The identity that is proven, asserted, or signed up with.
  var identityKey: IdentityKey? {
    let email = SnapshotNames.addresses[address]
    return switch kind {
    case .signInVendor, .linkVendor, .assert:
      subject.map { SnapshotNames.subject($0, of: provider) }
    case .signInPassword, .signInStalePassword, .signUp, .linkPassword:
      email.map(IdentityKey.password)
    case .signInLink, .linkLink: email.map(IdentityKey.emailLink)
    case .signInAnonymous, .signInApp, .unlinkVendor, .unlinkPassword, .unlinkLink: nil
    }
  }

  /// The provider of the credential, or of the identity to remove.
  var providerID: ProviderID {
    switch kind {
    case .signInVendor, .linkVendor, .assert, .unlinkVendor: SnapshotNames.providers[provider]
    case .signInPassword, .signInStalePassword, .signUp, .linkPassword, .unlinkPassword: .password
    case .signInLink, .linkLink, .unlinkLink: .emailLink
    case .signInAnonymous: .anonymous
    case .signInApp: .custom
    }
  }

  /// Returns the request about an account.
  func request(_ target: AccountID) -> LinkRequest {
    switch kind {
    case .signInVendor, .signInPassword, .signInStalePassword, .signInLink, .signInAnonymous:
      return .signIn(verified)
    case .signInApp:
      var identity = verified
      identity.account = target
      return .signIn(identity)
    case .signUp: return .signUp(verified)
    case .linkVendor, .linkPassword, .linkLink: return .link(verified, to: target)
    case .assert:
      return .assert(SnapshotNames.subject(subject ?? 0, of: provider), to: target)
    case .unlinkVendor, .unlinkPassword, .unlinkLink:
      let name = subject.map { SnapshotNames.subject($0, of: provider).subject }
      return .unlink(providerID, subject: name, from: target, force: isForced)
    }
  }

  private var verified: VerifiedIdentity {
    let email = SnapshotNames.addresses[address]
    var identity = VerifiedIdentity(provider: providerID, key: identityKey, email: email)
    if kind == .signInVendor || kind == .linkVendor || providerID == .emailLink {
      identity.profile.email = email?.text
    }
    identity.emailVerified = claim == .verified || providerID == .emailLink
    switch kind {
    case .signInPassword:
      identity.secret = .matched(encoded: SnapshotNames.hash, rehashed: nil)
    case .signInStalePassword:
      identity.secret = .matched(encoded: "hash-of-before", rehashed: nil)
    case .signUp, .linkPassword: identity.secret = .chosen(encoded: SnapshotNames.newHash)
    default: break
    }
    return identity
  }

  /// Returns the caller, with a session of the account if one is given.
  func caller(of account: Account?) -> Caller {
    let now = SnapshotNames.now
    let scope = SnapshotNames.scope
    let authority: Caller.Authority
    switch asker {
    case .anyone: return Caller(scope: scope, authority: .anyone)
    case .admin: return Caller(scope: scope, authority: .admin("admin"))
    case .recent, .recentWithFactor, .old, .ended, .other, .stranger:
      let age: Int64 = asker == .old ? 3_600 : 60
      authority = .session(
        account?.id ?? SnapshotNames.strangersUID, signedInAt: now.adding(seconds: -age),
        secondFactor: asker == .recentWithFactor || asker == .other || asker == .stranger)
    }
    var caller = Caller(scope: scope, authority: authority)
    caller.mark = .of(
      asker == .ended ? SessionMark(mark: 2) : account?.sessionMark ?? SessionMark(mark: 1))
    return caller
  }
}
