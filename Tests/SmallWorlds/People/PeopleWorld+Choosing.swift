import AuthCore
import AuthTesting

extension PeopleWorld {
  /// Picks a step that is possible now, more often with a recent session, code or credential.
  func choose(_ choice: UInt64) -> Step {
    var generator = SeededGenerator(seed: choice)
    while true {
      if let step = pick(using: &generator) { return step }
    }
  }

  private func pick(using generator: inout SeededGenerator) -> Step? {
    let number = Int.random(in: 0..<100, using: &generator)
    return switch number {
    case ..<34: pickArrival(number, using: &generator)
    case ..<80: pickOfSession(using: &generator)
    case ..<85: codes.keys.sorted().picked(using: &generator).map(Step.use)
    case ..<88: pickVoidCode(using: &generator)
    case ..<90: credentials.keys.sorted().picked(using: &generator).map(Step.signInVouched)
    default: pickOfAdmin(using: &generator)
    }
  }

  private func pickArrival(
    _ number: Int, using generator: inout SeededGenerator
  ) -> Step? {
    let person = Person.allCases.picked(using: &generator) ?? .ada
    let mailbox = mailbox(using: &generator)
    let vendor = Vendor.allCases.picked(using: &generator) ?? .honest
    let said = said(by: vendor, to: person, using: &generator)
    return switch number {
    case 0: .anonymous(person)
    case 1...4: .appUser(person)
    case 5...12: .vendor(person, vendor, said)
    case 13: .phone(person)
    case 14...17: .signUp(person, mailbox)
    case 18...20: .password(person, mailbox)
    case 21...24: .linkAtOnce(mailbox)
    case 25...28: .resetAtOnce(mailbox)
    case 29: .askLink(mailbox)
    case 30, 31: .askReset(mailbox)
    default: .vouch(person, vendor, said)
    }
  }

  private func pickOfSession(using generator: inout SeededGenerator) -> Step? {
    let takesAny = Int.random(in: 0..<4, using: &generator) == 0
    let good = takesAny ? sessions : sessions.filter { isGood($0.value) }
    guard let number = good.keys.sorted().picked(using: &generator), let session = good[number]
    else { return nil }
    let person = session.person
    let mailbox = Mailbox.all.picked(using: &generator) ?? person.mailboxes[0]
    let own = person.mailboxes.picked(using: &generator) ?? person.mailboxes[0]
    let vendor = Vendor.allCases.picked(using: &generator) ?? .honest
    switch Int.random(in: 0..<32, using: &generator) {
    case 30, 31:
      return accounts[session.grant.account].map { endings(of: $0) }?.picked(using: &generator)
        .map { .endWaysIn(number, $0) }
    case 0...4: return .linkVendor(number, vendor, said(by: vendor, to: person, using: &generator))
    case 5: return .linkPhone(number)
    case 6...9: return .linkPassword(number, mailbox)
    case 10, 11: return .linkMailbox(number, own)
    case 12:
      let linked = accounts[session.grant.account]?.identities.map(\.provider) ?? []
      return linked.picked(using: &generator).map { .unlink(number, $0) }
    case 13...15: return .setEmail(number, mailbox)
    case 16...18: return .setEmail(number, nil)
    case 19: return .setPassword(number)
    case 20, 21: return .askVerification(number)
    case 22, 23: return .askChange(number, to: own)
    case 24, 25: return .renew(number)
    case 26, 27:
      let others = sessions.filter {
        $0.value.person == person && $0.value.grant.account != session.grant.account
      }
      guard let other = others.keys.sorted().picked(using: &generator) else { return nil }
      return Int.random(in: 0..<3, using: &generator) == 0
        ? .moveOwn(other, to: number, vendor) : .merge(other, into: number)
    case 28:
      return credentials.filter { $0.value.person == person }.keys.sorted()
        .picked(using: &generator).map { .linkVouched($0, session: number) }
    default: return Bool.random(using: &generator) ? .deleteOwn(number) : nil
    }
  }

  /// Picks a code of an account that has another owner by now, or else a code that undoes something.
  private func pickVoidCode(using generator: inout SeededGenerator) -> Step? {
    let void = codes.filter { _, code in
      guard let id = code.account, accounts[id] != nil else { return false }
      return !auditor.residents(of: id).contains(code.holder)
    }
    let picked = void.isEmpty ? codes.filter { $0.value.operation == .recoverEmail } : void
    return picked.keys.sorted().randomElement(using: &generator).map(Step.use)
  }

  /// Tells whether a session may be valid, according to its account.
  private func isGood(_ session: KeptSession) -> Bool {
    guard let account = accounts[session.grant.account], !account.disabled else { return false }
    return !account.hasEnded(.of(session.grant.mark), begunAt: session.grant.signedInAt)
  }

  private func pickOfAdmin(using generator: inout SeededGenerator) -> Step? {
    let person = Person.allCases.picked(using: &generator) ?? .ada
    let account = accounts.keys.sorted().picked(using: &generator)
    let free = uids.subtracting(accounts.keys).sorted().picked(using: &generator)
    let mailbox = (person.mailboxes + [nil]).picked(using: &generator) ?? nil
    // A uid that the app names belongs to its user.
    let owner = Person.allCases.first { $0.appUser == free } ?? person
    let own = mailbox.map { Mailbox(owner: owner, kind: $0.kind) }
    let isOn = Int.random(in: 0..<4, using: &generator) > 0
    switch Int.random(in: 0..<28, using: &generator) {
    case 24...27: return account.flatMap { pickTransfer(of: $0, using: &generator) }
    case 0: return account.map { .disable($0, true) }
    case 1, 2:
      return accounts.values.filter(\.disabled).map(\.id).sorted().picked(using: &generator)
        .map { .disable($0, false) }
    case 3, 4: return account.map(Step.delete)
    case 5...7: return free.map { .create($0, owner, own, verified: isOn) }
    case 8: return free.map { .importAccount($0, owner, own) }
    case 9, 10: return issuer == nil ? nil : .forgetTeam
    case 11...14:
      guard issuer == nil else { return nil }
      return Issuer.allCases.picked(using: &generator).map(Step.setUpTeam)
    case 15: return .trustHonest(isOn)
    case 16:
      let provider: ProviderID = isOn ? .password : Vendor.honest.id
      return .close(provider, !closed.contains(provider))
    case 17: return .close(.emailLink, closed.contains(.emailLink) ? false : !isOn)
    case 18: return .closeDoors(!isOn)
    case 19: return .oneAccountPerEmail(Bool.random(using: &generator))
    case 20...23:
      return merges.keys.sorted().picked(using: &generator).map { .undo($0, force: isOn) }
    default: return nil
    }
  }

  /// Picks a split of an account, or a move to another one of the same people.
  private func pickTransfer(
    of id: AccountID, using generator: inout SeededGenerator
  ) -> Step? {
    let linked = accounts[id]?.identities.map(\.provider) ?? []
    guard let provider = linked.picked(using: &generator) else { return nil }
    let owners = auditor.residents(of: id)
    let others = accounts.keys.filter { $0 != id && auditor.residents(of: $0) == owners }
    guard let other = others.sorted().picked(using: &generator),
      Bool.random(using: &generator)
    else { return .split(id, provider) }
    return .move(provider, from: id, to: other)
  }

  /// Picks a mailbox, half of the time one whose address an account has without a proof.
  private func mailbox(using generator: inout SeededGenerator) -> Mailbox {
    let claimed = accounts.values.filter { !$0.emailVerified }.compactMap { Mailbox($0.email) }
    let known = Mailbox.all.filter(claimed.contains)
    if Bool.random(using: &generator), let mailbox = known.picked(using: &generator) {
      return mailbox
    }
    return Mailbox.all.picked(using: &generator) ?? Person.ada.mailboxes[0]
  }

  /// Picks a statement that a vendor may make about a person's address.
  private func said(
    by vendor: Vendor, to person: Person, using generator: inout SeededGenerator
  ) -> Mailbox? {
    guard Int.random(in: 0..<4, using: &generator) > 0 else { return nil }
    return Mailbox.all.filter { vendor.says($0, to: person, at: issuer) }.picked(using: &generator)
  }
}

extension Array {
  /// Returns an element, in two of three cases one of the last eight.
  fileprivate func picked(using generator: inout SeededGenerator) -> Element? {
    guard count > 8, Int.random(in: 0..<3, using: &generator) > 0 else {
      return randomElement(using: &generator)
    }
    return self[Int.random(in: (count - 8)..<count, using: &generator)]
  }
}
