import AuthCore

/// An account in an example of a policy.
extension Account {
  /// True if a time is a date, and not a small number that only orders the accounts.
  var hasRealTimes: Bool { createdAt.isReal || lastSignInAt?.isReal == true }

  /// The account under a name of the example; only what differs from an account without any field.
  func example(as name: String, _ absorbed: [AbsorbedAccount]) -> LuaNotation {
    var members: [(name: String?, value: LuaNotation)] = []
    func add(_ field: String, _ text: String?) {
      if let text { members.append((field, LuaNotation(.string(text)))) }
    }
    func add(_ field: String, _ flag: Bool) {
      if flag { members.append((field, LuaNotation(true))) }
    }
    add("uid", id.rawValue == name ? nil : id.rawValue)
    if createdAt.milliseconds != 0 { members.append(("createdAt", createdAt.example)) }
    if let lastSignInAt { members.append(("lastSignInAt", lastSignInAt.example)) }
    add("email", email?.text)
    add("emailVerified", emailVerified)
    add("displayName", displayName)
    add("photoURL", photoURL)
    add("phoneNumber", phoneNumber?.text)
    add("disabled", disabled)
    add("isAnonymous", isAnonymous)
    if let customClaims {
      members.append(("customClaims", LuaNotation(.object(customClaims.members))))
    }
    if !hasUsualIdentity(name) {
      let entries = identities.map { (name: String?.none, value: $0.example(of: self)) }
      members.append(("providerData", .table(entries)))
    }
    if !secondFactors.isEmpty {
      let factors = secondFactors.map { (name: String?.none, value: $0.example) }
      members.append(("multiFactor", .table([("enrolledFactors", .table(factors))])))
    }
    if !absorbed.isEmpty {
      let merges = absorbed.map { merge in
        (
          name: String?.none,
          value: LuaNotation.table([
            ("uid", LuaNotation(.string(merge.uid.rawValue))), ("at", merge.at.example),
          ])
        )
      }
      members.append(("absorbed", .table(merges)))
    }
    return .table(members)
  }

  /// Tells whether the identities are those of an example that lists none.
  private func hasUsualIdentity(_ name: String) -> Bool {
    guard !isAnonymous else { return identities.isEmpty }
    return identities.map(\.key) == [IdentityKey(.plain, subject: name)]
      && identities[0].profile == IdentityProfile()
  }
}

extension Identity {
  fileprivate func example(of account: Account) -> LuaNotation {
    var members: [(name: String?, value: LuaNotation)] = []
    func add(_ field: String, _ text: String?) {
      if let text, !text.isEmpty { members.append((field, LuaNotation(.string(text)))) }
    }
    add("providerID", provider.rawValue)
    add("uid", key.subject)
    add("issuer", key.issuer)
    add("email", profile.email)
    add("displayName", profile.displayName)
    add("photoURL", profile.photoURL)
    add("phoneNumber", profile.phoneNumber)
    add("origin", origin == .credential ? nil : origin.rawValue)
    if linkedAt != account.createdAt { members.append(("linkedAt", linkedAt.example)) }
    if let lastSignInAt { members.append(("lastSignInAt", lastSignInAt.example)) }
    if provider == .password, let changedAt = secret?.changedAt, changedAt != account.createdAt {
      members.append(("changedAt", changedAt.example))
    }
    return .table(members)
  }
}

extension SecondFactor {
  fileprivate var example: LuaNotation {
    guard case .phone(let number) = kind else {
      return .table([("factorID", LuaNotation("totp"))])
    }
    return .table([
      ("factorID", LuaNotation("phone")), ("phoneNumber", LuaNotation(.string(number.text))),
    ])
  }
}
