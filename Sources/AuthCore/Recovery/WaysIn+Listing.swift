extension WaysIn {
  /// Returns every way into an account, with the obstacle to using it.
  func list(of account: Account) -> [WayIn] {
    account.identities.map { way(by: $0, of: account) }
      + account.secondFactors.map(way)
      + [sessions(of: account), mailbox(of: account), customToken(of: account)]
      .compactMap(\.self)
  }

  private func way(by identity: Identity, of account: Account) -> WayIn {
    let shut = account.disabled ? "account disabled" : obstacle(to: identity, on: account)?.rawValue
    return WayIn(
      id: identity.wayInID(of: account), identity.kindOfWayIn, .identity(identity.key),
      provider: identity.provider, label: identity.label, linkedAt: identity.linkedAt,
      lastUsedAt: identity.lastSignInAt, origin: identity.origin, obstacle: shut)
  }

  private func way(by factor: SecondFactor) -> WayIn {
    WayIn(
      id: "\(WayIn.Kind.secondFactor.rawValue)-\(factor.id)", .secondFactor, .factor(factor.id),
      label: factor.label, linkedAt: factor.enrolledAt.flatMap { Timestamp(rfc3339: $0) })
  }

  /// Returns the entry of the sessions; nil if there was never one.
  private func sessions(of account: Account) -> WayIn? {
    guard let last = account.details.lastRefreshAt ?? account.lastSignInAt else { return nil }
    return WayIn(
      id: WayIn.Kind.sessions.rawValue, .sessions, .sessions, lastUsedAt: last,
      obstacle: account.disabled ? "account disabled" : nil)
  }

  /// Returns the entry of the mailbox, whose reader can reset the password or sign in by a link.
  private func mailbox(of account: Account) -> WayIn? {
    guard let email = account.email, !account.disabled else { return nil }
    let closed = settings.signIn.closedProviders
    let isClosed = closed.contains(.password) && closed.contains(.emailLink)
    return WayIn(
      id: WayIn.Kind.mailbox.rawValue, .mailbox, .none, label: email.text,
      obstacle: isClosed ? Obstacle.closed.rawValue : nil)
  }

  private func customToken(of account: Account) -> WayIn? {
    guard account.details.usedCustomToken else { return nil }
    return WayIn(
      id: WayIn.Kind.customToken.rawValue, .customToken, .none,
      obstacle: account.disabled ? "account disabled" : nil)
  }
}

extension Identity {
  fileprivate var kindOfWayIn: WayIn.Kind {
    switch provider {
    case .password: .password
    case .emailLink: .emailLink
    case .phone: .phone
    case .passkey: .passkey
    default: .provider
    }
  }

  /// The text by which a person recognises the identity.
  fileprivate var label: String? {
    switch provider {
    case .password, .emailLink, .phone: key.subject
    default: profile.email ?? profile.displayName ?? profile.screenName ?? profile.phoneNumber
    }
  }

  /// Returns the name by which the identity is ended.
  ///
  /// It names this link of the identity to this owner, so a list that is out of date ends nothing else.
  fileprivate func wayInID(of account: Account) -> String {
    let link = "\(account.ownership?.mark ?? 0) \(key) \(linkedAt.milliseconds)"
    return "\(provider)-\(String(Ownership.mark(of: link), radix: 36))"
  }
}

extension SecondFactor {
  fileprivate var label: String? {
    if let displayName { return displayName }
    return if case .phone(let number) = kind { number.masked } else { nil }
  }
}

extension [WayIn] {
  /// Returns the ways that names choose: IDs, or a kind, a provider, an identity's key or a factor's ID that only one
  /// has.
  ///
  /// Throws `invalid-argument` for no name and an unknown one, `ambiguous`, or `operation-not-allowed` for one that
  /// cannot be ended.
  func chosen(by names: [String]) throws(AuthError) -> [WayIn] {
    guard !names.isEmpty else {
      throw AuthError(
        .invalidArgument, "Nothing is named to end.", field: "waysIn",
        remedy: "Name one as the list of ways in does.", step: .decision)
    }
    var chosen: [WayIn] = []
    for name in names {
      let way = try one(named: name)
      guard way.isEndable else { throw .cannotEnd(way) }
      if !chosen.contains(way) { chosen.append(way) }
    }
    return chosen
  }

  private func one(named name: String) throws(AuthError) -> WayIn {
    let exact = filter { $0.id == name }
    let found = exact.isEmpty ? filter { $0.otherNames.contains(name) } : exact
    guard let first = found.first else {
      // A request may name anything; an answer repeats the beginning.
      let shown = String(String.UnicodeScalarView(name.unicodeScalars.prefix(100)))
      throw AuthError(
        .invalidArgument, "The account has no way in \"\(shown)\".", field: "waysIn",
        remedy: "List its ways in again: \(map(\.id).joined(separator: ", ")).", step: .decision)
    }
    guard found.count == 1 else {
      throw AuthError(
        .ambiguous, "The account has \(found.count) ways in called \"\(name)\".", field: "waysIn",
        remedy: "Name one: \(found.map(\.id).joined(separator: ", ")).", step: .decision)
    }
    return first
  }
}

extension WayIn {
  fileprivate var otherNames: [String] {
    let own: [String] =
      switch target {
      case .identity(let key): [key.description]
      case .factor(let id): [id]
      case .sessions, .none: []
      }
    return own + [provider?.rawValue ?? kind.rawValue]
  }
}

extension AuthError {
  fileprivate static func cannotEnd(_ way: WayIn) -> AuthError {
    let remedy =
      way.kind == .mailbox
      ? "Change the account's address, or remove it."
      : "Only the app can stop making tokens for the uid. End \"sessions\" to end those that are open."
    return AuthError(
      .operationNotAllowed, "\(way.text) cannot be ended here.", field: "waysIn", remedy: remedy,
      step: .decision)
  }
}
