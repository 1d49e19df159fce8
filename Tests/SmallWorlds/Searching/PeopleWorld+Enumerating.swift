import AuthCore

/// Every possible step of the admin or of one of two people, each with a mailbox.
///
/// Steps that are refused by their form alone are left out: a password that no account has, a reset of an unknown
/// address, the unlinking of an identity that is not linked.
extension PeopleWorld {
  static let mostAccounts = 3
  private static let people: [Person] = [.ada, .bob]
  private static let mailboxes = people.map { Mailbox(owner: $0, kind: .home) }

  func possibleSteps() -> [Step] {
    var steps = Self.people.flatMap(arrivals)
    for mailbox in Self.mailboxes { steps += stepsOfMailbox(mailbox) }
    steps += codes.keys.sorted().map(Step.use)
    for number in sessions.keys.sorted() {
      if let session = sessions[number] { steps += stepsOfSession(number, session) }
    }
    return steps + stepsOfAdmin()
  }

  private func arrivals(of person: Person) -> [Step] {
    let own = Mailbox(owner: person, kind: .home)
    var steps: [Step] = [
      .anonymous(person), .appUser(person), .vendor(person, .honest, own),
      .vendor(person, .honest, nil),
    ]
    for mailbox in Self.mailboxes {
      steps.append(.vendor(person, .careless, mailbox))
      if issuer != nil, Vendor.team.says(mailbox, to: person, at: issuer) {
        steps.append(.vendor(person, .team, mailbox))
      }
      steps.append(.signUp(person, mailbox))
      if accounts.values.contains(where: { $0.has(mailbox, by: .password) }) {
        steps.append(.password(person, mailbox))
      }
    }
    if let kept = credentials.first(where: { $0.value.person == person }) {
      steps.append(.signInVouched(kept.key))
    } else {
      steps.append(.vouch(person, .honest, own))
    }
    return steps
  }

  private func stepsOfMailbox(_ mailbox: Mailbox) -> [Step] {
    var steps: [Step] = [.linkAtOnce(mailbox)]
    if !keeps(.emailSignIn, of: mailbox) { steps.append(.askLink(mailbox)) }
    if accounts.values.contains(where: { Mailbox($0.email) == mailbox }) {
      steps.append(.resetAtOnce(mailbox))
      if !keeps(.resetPassword, of: mailbox) { steps.append(.askReset(mailbox)) }
    }
    return steps
  }

  private func keeps(_ operation: ActionCode.Operation, of mailbox: Mailbox) -> Bool {
    codes.values.contains { $0.operation == operation && $0.mailbox == mailbox && !$0.wasUsed }
  }

  private func stepsOfSession(_ number: Int, _ session: KeptSession) -> [Step] {
    guard let account = accounts[session.grant.account], !account.disabled,
      !account.hasEnded(.of(session.grant.mark), begunAt: session.grant.signedInAt)
    else { return [.renew(number), .setEmail(number, nil), .setPassword(number)] }
    let own = Mailbox(owner: session.person, kind: .home)
    var steps: [Step] = [
      .linkVendor(number, .honest, own), .linkMailbox(number, own), .setEmail(number, nil),
      .setPassword(number), .askVerification(number), .askChange(number, to: own),
      .deleteOwn(number),
    ]
    if account.secondFactors.isEmpty && (account.email == nil || account.emailVerified) {
      steps.append(.enroll(number))
    }
    if issuer != nil { steps.append(.linkVendor(number, .team, nil)) }
    for mailbox in Self.mailboxes {
      steps.append(.linkVendor(number, .careless, mailbox))
      steps.append(.linkPassword(number, mailbox))
      if Mailbox(account.email) != mailbox { steps.append(.setEmail(number, mailbox)) }
    }
    for provider in Set(account.identities.map(\.provider)).sorted() {
      steps.append(.unlink(number, provider))
    }
    steps += endings(of: account).map { .endWaysIn(number, $0) }
    let others = sessions.filter {
      $1.person == session.person && $1.grant.account != session.grant.account
    }
    steps += others.keys.sorted().map { .merge($0, into: number) }
    steps += others.keys.sorted().map { .moveOwn($0, to: number, .honest) }
    let kept = credentials.filter { $1.person == session.person }
    steps += kept.keys.sorted().map { .linkVouched($0, session: number) }
    return steps
  }

  private func stepsOfAdmin() -> [Step] {
    var steps: [Step] = [
      .trustHonest(!isHonestTrusted), .closeDoors(!doors.isClosed),
      .oneAccountPerEmail(!hasOneAccountPerEmail), .mergeByPolicy(!mergesByPolicy),
    ]
    steps += [.password, .emailLink, Vendor.honest.id].map { .close($0, !closed.contains($0)) }
    steps += issuer == nil ? Issuer.allCases.map(Step.setUpTeam) : [.forgetTeam]
    for account in accounts.values.sorted(by: { $0.id < $1.id }) {
      steps += [.disable(account.id, !account.disabled), .delete(account.id)]
      let owners = auditor.residents(of: account.id)
      for other in accounts.keys.sorted()
      where other != account.id && auditor.residents(of: other) == owners {
        steps.append(.adminMerge(account.id, absorbing: other))
        for provider in Set(account.identities.map(\.provider)).sorted() {
          steps.append(.move(provider, from: account.id, to: other))
        }
      }
      if account.identities.count > 1 {
        for provider in Set(account.identities.map(\.provider)).sorted() {
          steps.append(.split(account.id, provider))
        }
      }
    }
    for id in uids.sorted() where accounts[id] == nil {
      for person in Self.people where Person.namedByApp(id) ?? person == person {
        let own = Mailbox(owner: person, kind: .home)
        steps += [
          .create(id, person, own, verified: true), .create(id, person, own, verified: false),
        ]
      }
    }
    for number in merges.keys.sorted() {
      steps += [.undo(number, force: false), .undo(number, force: true)]
    }
    return steps
  }

  /// Removes duplicates and used codes, so that states that differ only in them are equal.
  func forgetDoubles() {
    codes = codes.filter { !$1.wasUsed }
    for (number, session) in sessions
    where sessions.contains(where: { $0 > number && $1.gives(asMuchAs: session, in: accounts) }) {
      sessions[number] = nil
    }
    for (number, code) in codes
    where codes.contains(where: { $0 > number && $1.gives(asMuchAs: code) }) {
      codes[number] = nil
    }
  }
}

extension Account {
  fileprivate func has(_ mailbox: Mailbox, by provider: ProviderID) -> Bool {
    identities.contains { $0.provider == provider && $0.key.subject == mailbox.text }
  }
}

extension Person {
  /// Returns the person whom the app names by a uid.
  fileprivate static func namedByApp(_ id: AccountID) -> Person? {
    allCases.first { $0.appUser == id }
  }
}

extension KeptSession {
  /// Tells whether the session has the same person and identity as the other one, and is over if the other one is.
  fileprivate func gives(asMuchAs other: KeptSession, in accounts: [AccountID: Account]) -> Bool {
    guard person == other.person && grant.account == other.grant.account else { return false }
    let (isOver, isOtherOver) = (isOver(in: accounts), other.isOver(in: accounts))
    return isOver == isOtherOver
      && (isOver
        || (grant.provider == other.grant.provider && grant.identity == other.grant.identity))
  }

  private func isOver(in accounts: [AccountID: Account]) -> Bool {
    accounts[grant.account]?.hasEnded(.of(grant.mark), begunAt: grant.signedInAt) ?? true
  }
}

extension KeptCode {
  fileprivate func gives(asMuchAs other: KeptCode) -> Bool {
    operation == other.operation && mailbox == other.mailbox && account == other.account
      && accountThen?.ownership == other.accountThen?.ownership && isSole == other.isSole
  }
}
