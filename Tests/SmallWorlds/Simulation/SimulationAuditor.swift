import AuthCore

/// Compares a store with the commits and the acknowledgements, and checks the invariants.
struct SimulationAuditor: Sendable {
  /// A client's answer that names an event.
  struct Acknowledgement: Sendable {
    let event: String
    let act: SimulatedAct
    /// The action in the receipt; nil for a refusal.
    let action: Action?
  }

  private let ledger: CommitLedger.Contents
  private let accounts: [Account]
  private let events: [AuditEvent]
  private let merges: [MergeRecord]
  private let aliases: [AccountID: AccountID]
  private let survivors: [AccountID: AccountID]
  private let sessions: [PlacedSession]
  private let settings: ProjectSettings

  /// Reads the whole content of a store.
  init(_ store: any AccountStore, _ ledger: CommitLedger.Contents) async throws {
    let scope = SimulatedServer.scope
    let known = ledger.aliases.keys.sorted()
    self.ledger = ledger
    (accounts, events, merges, aliases, survivors, sessions, settings) = try await store.read {
      reader in
      var aliases: [AccountID: AccountID] = [:]
      var survivors: [AccountID: AccountID] = [:]
      let merges = try reader.merges(involving: nil, before: nil, limit: .max, in: scope)
      for id in Set(known + merges.flatMap { [$0.absorbed, $0.survivor] }) {
        aliases[id] = try reader.survivor(of: id, in: scope)
        survivors[id] = try reader.resolve(id, in: scope)
      }
      return (
        try reader.accounts(matching: AccountFilter(), after: nil, limit: .max, in: scope),
        try reader.oldestEvents(after: 0, limit: .max, in: scope),
        merges, aliases, survivors, try reader.sessions(after: nil, limit: .max),
        try reader.settings(of: scope)
      )
    }
  }

  /// The history in the store, with one line for each event and account.
  var lines: [String] {
    events.map { event in
      "\(event.id) \(event.action) \(event.accountID?.rawValue ?? "") \(event.errorCode ?? "")"
    }
      + accounts.map { account in
        let keys = account.identities.map { "\($0.key)" }.sorted().joined(separator: " ")
        let email = account.email?.canonical ?? ""
        return "\(account.id) \(account.revision) \(email) \(account.emailVerified) "
          + "\(account.disabled) \(keys)"
      }
  }

  func problems(_ acknowledged: [Acknowledgement]) -> [String] {
    ledger.problems + differences + broken + lost(acknowledged)
  }

  /// The differences between the store and the commits.
  private var differences: [String] {
    var problems: [String] = []
    let held = Dictionary(accounts.map { ($0.id, $0) }, uniquingKeysWith: { $1 })
    for id in Set(held.keys).union(ledger.accounts.keys).sorted()
    where held[id] != ledger.accounts[id] {
      let revisions = [held[id], ledger.accounts[id]].map { $0.map { "\($0.revision)" } ?? "none" }
      problems.append("\(id) has revision \(revisions[0]), committed was \(revisions[1])")
    }
    if events.map(\.id) != ledger.order {
      problems.append("\(events.count) events, committed were \(ledger.order.count)")
    }
    for id in Set(aliases.keys).union(ledger.aliases.keys).sorted()
    where aliases[id] != ledger.aliases[id] {
      problems.append("\(id) is another alias than was committed")
    }
    return problems
  }

  /// The violated invariants.
  private var broken: [String] {
    var problems: [String] = []
    var owners: [IdentityKey: AccountID] = [:]
    var verified: [String: AccountID] = [:]
    for account in accounts {
      for key in account.identities.flatMap(\.keys) {
        if let other = owners.updateValue(account.id, forKey: key) {
          problems.append("\(key) is of \(other) and \(account.id)")
        }
      }
      guard settings.oneAccountPerEmail, account.emailVerified,
        let email = account.email?.canonical
      else { continue }
      if let other = verified.updateValue(account.id, forKey: email) {
        problems.append("\(email) is of \(other) and \(account.id)")
      }
    }
    let ids = Set(accounts.map(\.id))
    for (alias, survivor) in aliases.sorted(by: { $0.key < $1.key }) {
      if survivors[alias] == nil { problems.append("\(alias) leads to \(survivor), to nobody") }
      if ids.contains(alias) { problems.append("\(alias) is an account and an alias") }
    }
    for merge in merges where merge.endedAt == nil && merge.undoneBy == nil {
      let survivor = survivors[merge.survivor]
      if aliases[merge.absorbed] == nil || survivor == nil || survivors[merge.absorbed] != survivor
      {
        problems.append("merge \(merge.id) stands without its alias")
      }
    }
    for placed in sessions where !placed.hasAccount {
      problems.append("a session of \(placed.session.account), which is not there")
    }
    return problems
  }

  /// Returns acknowledged changes that are missing in the store.
  private func lost(_ acknowledged: [Acknowledgement]) -> [String] {
    let held = Dictionary(grouping: events, by: \.id)
    return acknowledged.compactMap { answer in
      guard let found = held[answer.event], found.count == 1, let event = found.first else {
        return "\(answer.act.name) \(answer.event) has \(held[answer.event]?.count ?? 0) events"
      }
      guard let action = answer.action else {
        return event.errorCode == nil ? "\(answer.act.name) \(event.id) was refused and done" : nil
      }
      guard event.action == action, event.errorCode == nil else {
        return "\(answer.act.name) \(event.id) was done, and is \(event.action) refused"
      }
      guard let entry = ledger.entries[event.id], !answer.act.fits(entry.account) else {
        return nil
      }
      return "\(answer.act.name) \(event.id) was done, and left an account that does not fit"
    }
  }
}
