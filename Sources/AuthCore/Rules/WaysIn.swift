/// The rules that decide which ways to sign in to an account are open, and whether a change leaves one.
///
/// A way to sign in is an identity with which a person can sign in at present. Its provider is registered, configured
/// in the scope and not closed. A password needs its hash, and a phone number works only without second factors.
///
/// An address alone is none, although a link or a reset may open the account, because mailboxes get lost. A custom
/// token is none, because only the app can make one.
struct WaysIn: Sendable {
  let settings: ProjectSettings
  /// The registered providers; nil to accept every provider.
  ///
  /// Examples have no providers, and an admin may configure one after its accounts were imported.
  let providers: ProviderRegistry?

  /// The obstacle to signing in with an identity.
  enum Obstacle: String, Sendable {
    case noSecret = "no password"
    case besideFactor = "beside a second factor"
    case closed
    case unknown = "no such provider"
    case notSetUp = "not set up"
    case suspended = "suspended by its provider"
  }

  /// The permission to remove the last way to sign in.
  struct Permission: Sendable {
    var isForced = false
    /// True if it may always be removed, as in Firebase's emulator.
    var isUsual = false
    /// True if the scope's setting may allow it; a merge ignores the setting.
    var followsSetting = true
  }

  /// Returns the obstacle to signing in with an identity; nil if it is open.
  func obstacle(to identity: Identity, on account: Account) -> Obstacle? {
    if identity.provider == .password && identity.secret == nil { return .noSecret }
    if identity.provider == .phone && !account.secondFactors.isEmpty { return .besideFactor }
    if settings.signIn.closedProviders.contains(identity.provider) { return .closed }
    if account.mark(of: identity)?.suspendedBy != nil { return .suspended }
    guard let providers else { return nil }
    guard let provider = providers[identity.provider] else { return .unknown }
    return settings.hasSetUp(provider) ? nil : .notSetUp
  }

  /// Returns the number of open ways to sign in to an account.
  func count(into account: Account) -> Int {
    account.identities.count { obstacle(to: $0, on: account) == nil }
  }

  /// Tells whether a change of accounts into one leaves a way to sign in, and notes that in the trace.
  ///
  /// A change that removes nothing is allowed, even if there was no way before.
  func remain(
    from before: [Account], to after: Account, by permission: Permission = Permission(),
    _ trace: inout Trace
  ) -> Bool {
    let remaining = count(into: after)
    let had = before.contains { count(into: $0) > 0 }
    let lost = before.map(\.identities.count).reduce(0, +) - after.identities.count
    let isAllowed = permission.followsSetting && settings.allowsUnlinkingLastMethod
    let mayGo = isAllowed || permission.isUsual
    let shut = after.identities.compactMap { identity in
      obstacle(to: identity, on: after).map { "\(identity.provider): \($0.rawValue)" }
    }
    let isEnough = remaining > 0 || (lost <= 0 && !had)
    trace.note(
      "ways in that remain",
      [
        "usable": "\(remaining)", "unusable": shut.isEmpty ? nil : shut.joined(separator: ", "),
        "forced": permission.isForced ? "yes" : "no",
        "setting": permission.followsSetting
          ? "allowsUnlinkingLastMethod \(settings.allowsUnlinkingLastMethod)" : nil,
      ], remaining > 0 ? "enough" : isEnough ? "none, as before" : "none")
    return isEnough || permission.isForced || mayGo
  }
}

extension ProjectSettings {
  /// Tells whether every required setting of a provider is set.
  func hasSetUp(_ provider: any AuthProvider) -> Bool {
    let needed = provider.manifest.configuration.filter(\.isRequired)
    guard !needed.isEmpty else { return true }
    guard let configuration = providers[provider.id.rawValue] else { return false }
    return needed.allSatisfy { field in
      configuration.values[field.name] != nil || configuration.sealedSecrets[field.name] != nil
    }
  }
}

extension AccountGraph {
  /// The providers that the rules consult; nil to accept every provider.
  var knownProviders: ProviderRegistry? { services.quirks.known(providers) }

  /// Returns the rule of the last way to sign in, on a snapshot.
  func waysIn(on snapshot: Snapshot, by caller: Caller? = nil) -> WaysIn {
    WaysIn(
      settings: snapshot.settings,
      providers: caller.map(\.isAdmin) == true ? nil : knownProviders)
  }
}

extension RuleEvaluation {
  /// Returns the refusal of a change that would leave no way to sign in: `last-sign-in-method` with a lost provider.
  ///
  /// An admin may force the change; a session may not.
  mutating func refuseLosingWaysIn(
    from old: Account, to new: Account, isForced: Bool
  ) -> AuthError? {
    // A phone number cannot sign in beside a second factor.
    let isLosing =
      old.identities.contains { new.identity($0.key) == nil }
      || (old.secondFactors.isEmpty && !new.secondFactors.isEmpty)
    guard isLosing else { return nil }
    // For an admin every linked provider counts, even if it is not configured.
    let ways = WaysIn(settings: settings, providers: caller.isAdmin ? nil : providers)
    let permission = quirks.permission(isForced: isForced && caller.isAdmin)
    guard !ways.remain(from: [old], to: new, by: permission, &trace) else { return nil }
    let open = old.identities.first { ways.obstacle(to: $0, on: old) == nil }
    let lost = open ?? old.identities.first { new.identity($0.key) == nil }
    return .lastSignInMethod(lost?.provider ?? .password)
  }
}
