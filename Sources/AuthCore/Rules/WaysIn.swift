/// Decides which ways into an account are open now, and whether a change leaves one.
///
/// A way in is an identity of the account, by which a person can sign in at this moment. Its provider is known to this
/// process, set up in the scope and not closed. A password has its hash, and a number has no second factor beside it.
///
/// An address alone is none, although a link or a reset that is sent to it may open the account: mailboxes get lost. A
/// custom token is none, because only the app can make one.
struct WaysIn: Sendable {
  let settings: ProjectSettings
  /// The providers of this process; nil if every provider counts, as in an example that has none, or to an admin, who may
  /// set a provider up after its people were brought.
  let providers: ProviderRegistry?

  /// What keeps people from signing in with an identity.
  enum Obstacle: String, Sendable {
    case noSecret = "no password"
    case besideFactor = "beside a second factor"
    case closed
    case unknown = "no such provider"
    case notSetUp = "not set up"
  }

  /// What lets the last way in go.
  struct Permission: Sendable {
    var isForced = false
    /// Whether it may always go, as in Firebase's emulator.
    var isUsual = false
    /// Whether the scope's setting may let it go; a merge never does.
    var followsSetting = true
  }

  /// Returns what keeps people from signing in with an identity; nil if it is open.
  func obstacle(to identity: Identity, on account: Account) -> Obstacle? {
    if identity.provider == .password && identity.secret == nil { return .noSecret }
    if identity.provider == .phone && !account.secondFactors.isEmpty { return .besideFactor }
    if settings.signIn.closedProviders.contains(identity.provider) { return .closed }
    guard let providers else { return nil }
    guard let provider = providers[identity.provider] else { return .unknown }
    return settings.hasSetUp(provider) ? nil : .notSetUp
  }

  /// Returns how many ways into an account are open.
  func count(into account: Account) -> Int {
    account.identities.count { obstacle(to: $0, on: account) == nil }
  }

  /// Whether a change of accounts into one leaves a way in, with its step in the trace.
  ///
  /// A change that takes nothing away leaves what there was, also if that is nothing.
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
  /// Whether everything is set that a provider cannot do without.
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
  /// The providers that rules look at; nil if every provider counts.
  var knownProviders: ProviderRegistry? { services.quirks.known(providers) }

  /// The rule of the last way in, as of one snapshot.
  func waysIn(on snapshot: Snapshot, by caller: Caller? = nil) -> WaysIn {
    WaysIn(
      settings: snapshot.settings,
      providers: caller.map(\.isAdmin) == true ? nil : knownProviders)
  }
}

extension RuleEvaluation {
  /// The refusal of a change that would leave no way into an account: `last-sign-in-method` with the provider of a way
  /// in that goes.
  ///
  /// An admin may force it; nobody locks themselves out.
  mutating func refuseLosingWaysIn(
    from old: Account, to new: Account, isForced: Bool
  ) -> AuthError? {
    // A number is no way in beside a second factor.
    let isLosing =
      old.identities.contains { new.identity($0.key) == nil }
      || (old.secondFactors.isEmpty && !new.secondFactors.isEmpty)
    guard isLosing else { return nil }
    // To an admin every linked provider counts, set up or not.
    let ways = WaysIn(settings: settings, providers: caller.isAdmin ? nil : providers)
    let permission = quirks.permission(isForced: isForced && caller.isAdmin)
    guard !ways.remain(from: [old], to: new, by: permission, &trace) else { return nil }
    let open = old.identities.first { ways.obstacle(to: $0, on: old) == nil }
    let lost = open ?? old.identities.first { new.identity($0.key) == nil }
    return .lastSignInMethod(lost?.provider ?? .password)
  }
}
