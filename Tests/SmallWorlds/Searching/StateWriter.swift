import AuthCore

/// Writes a state in bytes that do not depend on uids, on times or on the order in which things came.
///
/// Accounts are named by their place among the sorted ones, and the first two people may have changed names. Uids of accounts
/// that are gone keep the order of their names, so some states count twice that differ by them alone.
final class StateWriter {
  private let known: PeopleWorld.Known
  private let rows: WorldRows
  private let isSwapped: Bool
  private var places: [AccountID: UInt8] = [:]

  /// The digest of a state, the same after the first two people have changed names.
  static func digest(_ known: PeopleWorld.Known, _ rows: WorldRows) -> StateDigest {
    let digests = [false, true].map { isSwapped in
      StateDigest(of: StateWriter(known, rows, isSwapped: isSwapped).written())
    }
    return min(digests[0], digests[1])
  }

  private init(_ known: PeopleWorld.Known, _ rows: WorldRows, isSwapped: Bool) {
    (self.known, self.rows, self.isSwapped) = (known, rows, isSwapped)
  }

  private func written() -> [UInt8] {
    var accounts = rows.accounts.map { (id: $0.id, bytes: bytes(of: $0)) }
    accounts.sort { $0.bytes.lexicographicallyPrecedes($1.bytes) }
    for (place, account) in accounts.enumerated() { places[account.id] = UInt8(place) }
    for (place, id) in gone().enumerated() { places[id] = UInt8(100 + place) }
    var all = settings()
    for account in accounts { all += account.bytes + [0xFF] }
    append(known.sessions.values.map(bytes(of:)), to: &all)
    append(known.codes.values.map(bytes(of:)), to: &all)
    append(known.credentials.values.map(bytes(of:)), to: &all)
    append(known.merges.values.map(bytes(of:)), to: &all)
    append(rows.aliases.map { [place($1), app($0)] }, to: &all)
    return all
  }

  /// The uids of accounts that are no more, and of which something is left.
  private func gone() -> [AccountID] {
    var ids = Set(known.sessions.values.map(\.grant.account))
    ids.formUnion(known.codes.values.compactMap(\.account))
    for merge in known.merges.values { ids.formUnion([merge.survivor, merge.absorbed]) }
    ids.formUnion(rows.aliases.keys)
    return ids.filter { places[$0] == nil }.sorted()
  }

  private func append(_ entries: [[UInt8]], to bytes: inout [UInt8]) {
    for entry in entries.sorted(by: { $0.lexicographicallyPrecedes($1) }) { bytes += entry }
    bytes.append(0xFE)
  }

  private func settings() -> [UInt8] {
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
    return [Self.byte(flags), issuer]
  }

  private func bytes(of account: Account) -> [UInt8] {
    let flags = [
      account.emailVerified, account.disabled, account.isAnonymous,
      account.details.usedCustomToken,
    ]
    var bytes = [
      Self.byte(flags), name(account.email?.canonical), name(account.phoneNumber?.text),
      name(account.details.initialEmail?.canonical), name(account.secondFactors.first?.id),
      app(account.id), residents(of: account.id),
    ]
    append(account.identities.map(bytes(of:)), to: &bytes)
    return bytes
  }

  private func bytes(of identity: Identity) -> [UInt8] {
    [
      provider(identity.provider), name(identity.key.subject), name(identity.secret?.encoded),
      name(identity.profile.email), identity.emailVerified ? 1 : 0,
      identity.origin == .credential ? 1 : 0,
    ]
  }

  private func bytes(of session: KeptSession) -> [UInt8] {
    let id = session.grant.account
    let isOver = known.accounts[id]?.hasEnded(
      .of(session.grant.mark), begunAt: session.grant.signedInAt)
    return [
      person(session.person), place(id), provider(session.grant.provider),
      name(session.grant.identity?.subject), isOver.map { $0 ? 1 : 2 } ?? 0,
    ]
  }

  private func bytes(of code: KeptCode) -> [UInt8] {
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
    return [
      operation, person(code.holder), code.account.map(place) ?? 0xFC, name(code.mailbox?.text),
      Self.byte(flags),
    ]
  }

  private func bytes(of credential: KeptCredential) -> [UInt8] {
    [
      person(credential.person), name(credential.mailbox?.text), name(credential.key?.subject),
      credential.key.map { provider($0.provider) } ?? 0,
    ]
  }

  private func bytes(of merge: KeptMerge) -> [UInt8] {
    let record = rows.merges.first { $0.id == merge.id }
    var bytes = [
      place(merge.survivor), place(merge.absorbed), residents(merge.owners),
      Self.byte([record != nil, record?.endedAt != nil, record?.undoneBy != nil]),
    ]
    if let record {
      for account in [record.survivorBefore, record.absorbedBefore, record.survivorAfter] {
        bytes += self.bytes(of: account)
      }
    }
    return bytes
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

  /// A person's mailbox, number, subject or password in a byte.
  private func name(_ text: String?) -> UInt8 {
    guard let text else { return 0 }
    guard let name = Self.names[text] else { return 0xFB }
    return 1 + name.kind * 4 + Self.index(name.index, isSwapped)
  }

  private static let names: [String: (kind: UInt8, index: Int)] = {
    var names: [String: (kind: UInt8, index: Int)] = [:]
    for person in Person.allCases {
      let texts =
        person.mailboxes.map(\.text)
        + [
          person.password, person.phoneNumber, Vendor.honest.subject(of: person, at: nil),
          person.factor,
        ]
      for (kind, text) in texts.enumerated() { names[text] = (UInt8(kind), person.index) }
    }
    return names
  }()

  private func provider(_ id: ProviderID) -> UInt8 { Self.providers[id] ?? 0xFA }

  private static let providers: [ProviderID: UInt8] = {
    let ids = Vendor.allCases.map(\.id) + [.password, .emailLink, .anonymous, .custom, .phone]
    return Dictionary(uniqueKeysWithValues: zip(ids, 1...))
  }()

  private static func byte(_ flags: [Bool]) -> UInt8 {
    flags.reduce(0) { $0 << 1 | ($1 ? 1 : 0) }
  }
}
