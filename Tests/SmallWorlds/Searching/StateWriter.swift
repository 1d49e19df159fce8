import AuthCore

/// Encodes a state independently of uids, times and the order of events.
///
/// Accounts are named by their index among the sorted ones, and the first two people may be swapped. Uids of deleted
/// accounts keep their order, so some states that differ only in them count twice.
final class StateWriter {
  private let known: PeopleWorld.Known
  private let rows: WorldRows
  private let isSwapped: Bool
  private var places: [AccountID: UInt8] = [:]

  /// Returns the digest of a state, the same after the first two people are swapped.
  static func digest(_ known: PeopleWorld.Known, _ rows: WorldRows) -> StateDigest {
    let digests = [false, true].map { isSwapped in
      StateDigest(of: StateWriter(known, rows, isSwapped: isSwapped).written())
    }
    return min(digests[0], digests[1])
  }

  private init(_ known: PeopleWorld.Known, _ rows: WorldRows, isSwapped: Bool) {
    (self.known, self.rows, self.isSwapped) = (known, rows, isSwapped)
  }

  private func written() -> [UInt64] {
    var accounts = rows.accounts.map { (id: $0.id, words: words(of: $0)) }
    accounts.sort { $0.words.lexicographicallyPrecedes($1.words) }
    for (place, account) in accounts.enumerated() { places[account.id] = UInt8(place) }
    for (place, id) in gone().enumerated() { places[id] = UInt8(100 + place) }
    var all = [settings()]
    for account in accounts { all += account.words }
    append(known.sessions.values.map(word(of:)), to: &all)
    append(known.codes.values.map(word(of:)), to: &all)
    append(known.credentials.values.map(word(of:)), to: &all)
    append(known.merges.values.map(word(of:)), to: &all)
    append(rows.aliases.map { Self.word(place($1), app($0)) }, to: &all)
    return all
  }

  /// Returns the uids of deleted accounts that are still referred to.
  private func gone() -> [AccountID] {
    var ids = Set(known.sessions.values.map(\.grant.account))
    ids.formUnion(known.codes.values.compactMap(\.account))
    for merge in known.merges.values { ids.formUnion([merge.survivor, merge.absorbed]) }
    ids.formUnion(rows.aliases.keys)
    return ids.filter { places[$0] == nil }.sorted()
  }

  private func append(_ entries: [UInt64], to words: inout [UInt64]) {
    words += entries.sorted()
    words.append(.max)
  }

  private func settings() -> UInt64 {
    let flags = [
      known.hasOneAccountPerEmail, known.mergesByPolicy, known.areDoorsClosed,
      known.closed.contains(.password), known.closed.contains(.emailLink),
      known.closed.contains(Vendor.honest.id),
      rows.settings.trust[Vendor.honest.id] == .always,
      rows.settings.trust[Vendor.team.id] == .always,
    ]
    let issuer: UInt8 =
      switch known.issuer {
      case nil: 0
      case .first: 1
      case .second: 2
      }
    return Self.word(Self.byte(flags), issuer)
  }

  private func words(of account: Account) -> [UInt64] {
    let flags = [
      account.emailVerified, account.disabled, account.isAnonymous,
      account.details.usedCustomToken,
    ]
    let head = Self.word(
      Self.byte(flags), name(account.email?.canonical), name(account.phoneNumber?.text),
      fourth: name(account.details.initialEmail?.canonical),
      fifth: name(account.secondFactors.first?.id),
      sixth: app(account.id), seventh: residents(of: account.id))
    var words = [head]
    append(account.identities.map(word(of:)), to: &words)
    return words
  }

  private func word(of identity: Identity) -> UInt64 {
    Self.word(
      provider(identity.provider), name(identity.key.subject), name(identity.secret?.encoded),
      fourth: name(identity.profile.email), fifth: identity.emailVerified ? 1 : 0,
      sixth: identity.origin == .credential ? 1 : 0)
  }

  private func word(of session: KeptSession) -> UInt64 {
    let id = session.grant.account
    let isOver = known.accounts[id]?.hasEnded(
      .of(session.grant.mark), begunAt: session.grant.signedInAt)
    return Self.word(
      person(session.person), place(id), provider(session.grant.provider),
      fourth: name(session.grant.identity?.subject), fifth: isOver.map { $0 ? 1 : 2 } ?? 0)
  }

  private func word(of code: KeptCode) -> UInt64 {
    let now = code.account.flatMap { known.accounts[$0] }
    let flags = [
      code.isSole, code.wasUsed, code.account.map(known.auditor.since) == code.since,
      now?.ownership == code.accountThen?.ownership,
      now?.identities.map(\.key) == code.accountThen?.identities.map(\.key),
      now?.validSince == code.accountThen?.validSince, now?.email == code.accountThen?.email,
    ]
    let operation: UInt8 =
      switch code.operation {
      case .emailSignIn: 1
      case .resetPassword: 2
      case .verifyEmail: 3
      case .verifyAndChangeEmail: 4
      case .recoverEmail: 5
      default: 6
      }
    return Self.word(
      operation, person(code.holder), code.account.map(place) ?? 0xFC,
      fourth: name(code.mailbox?.text),
      fifth: Self.byte(flags))
  }

  private func word(of credential: KeptCredential) -> UInt64 {
    Self.word(
      person(credential.person), name(credential.mailbox?.text), name(credential.key?.subject),
      fourth: credential.key.map { provider($0.provider) } ?? 0)
  }

  /// Encodes a merge, with a digest of the earlier accounts.
  private func word(of merge: KeptMerge) -> UInt64 {
    let record = rows.merges.first { $0.id == merge.id }
    var words = [
      Self.word(
        place(merge.survivor), place(merge.absorbed), residents(merge.owners),
        fourth: Self.byte([record != nil, record?.endedAt != nil, record?.undoneBy != nil]))
    ]
    if let record {
      for account in [record.survivorBefore, record.absorbedBefore, record.survivorAfter] {
        words += self.words(of: account)
      }
    }
    for account in merge.before { words += self.words(of: account) }
    return StateDigest(of: words).short
  }

  private func residents(of id: AccountID) -> UInt8 { residents(known.auditor.residents(of: id)) }

  private func residents(_ people: Set<Person>) -> UInt8 {
    people.reduce(0) { $0 | 1 << person($1) }
  }

  private func place(_ id: AccountID) -> UInt8 { places[id] ?? 0xFD }

  private func app(_ id: AccountID) -> UInt8 {
    Person.allCases.first { $0.appUser == id }.map { 1 + person($0) } ?? 0
  }

  private func person(_ person: Person) -> UInt8 { Self.index(person.index, isSwapped) }

  private static func index(_ index: Int, _ isSwapped: Bool) -> UInt8 {
    UInt8(isSwapped && index < 2 ? 1 - index : index)
  }

  /// Encodes a person's mailbox, number, subject, password or app in a byte.
  private func name(_ text: String?) -> UInt8 {
    guard let text else { return 0 }
    guard let name = StateNames.ofPeople[text] else { return 0xFB }
    return 1 + name.kind * 4 + Self.index(name.index, isSwapped)
  }

  private func provider(_ id: ProviderID) -> UInt8 { StateNames.ofProviders[id] ?? 0xFA }

  private static func byte(_ flags: [Bool]) -> UInt8 {
    flags.reduce(0) { $0 << 1 | ($1 ? 1 : 0) }
  }

  /// Packs up to seven bytes in one word.
  private static func word(
    _ a: UInt8, _ b: UInt8, _ c: UInt8 = 0, fourth d: UInt8 = 0, fifth e: UInt8 = 0,
    sixth f: UInt8 = 0, seventh g: UInt8 = 0
  ) -> UInt64 {
    let (low, high) = (
      UInt64(a) | UInt64(b) << 8 | UInt64(c) << 16 | UInt64(d) << 24,
      UInt64(e) | UInt64(f) << 8 | UInt64(g) << 16
    )
    return low | high << 32
  }
}
