import AuthCore
import RandomOperations

/// The accounts of a store at the end of a round, to compare with the model.
struct RoundEnd {
  private let accounts: [Account]
  private let survivors: [(alias: AccountID, account: AccountID?)]
  /// The sessions of the round that are still valid.
  private let sessions: [OperationRecord.Session]

  init(
    graph: AccountGraph, store: any AccountStore, aliases: [AccountID],
    sessions begun: [OperationRecord.Session]
  ) async throws {
    var goingOn: [OperationRecord.Session] = []
    for session in begun {
      let caller = Caller(
        scope: RandomGraph.scope,
        authority: .session(
          session.account, signedInAt: session.signedInAt, secondFactor: false,
          identity: session.identity))
      let renewed = try? await graph.renewSession(
        provider: session.provider, identity: session.identity, showing: nil, by: caller)
      if renewed != nil { goingOn.append(session) }
    }
    sessions = goingOn
    accounts = try await graph.accounts(limit: 1_000_000, in: RandomGraph.scope)
    let found = try await store.read { reader in
      try aliases.map { try reader.resolve($0, in: RandomGraph.scope) }
    }
    survivors = Array(zip(aliases, found)).map { (alias: $0, account: $1) }
  }

  /// Returns the differences and the violated invariants, or nil if there are none.
  func difference(from model: ReferenceModel) -> String? {
    var problems: [String] = []
    func check(_ holds: Bool, _ what: @autoclosure () -> String) {
      if !holds { problems.append(what()) }
    }
    check(Set(accounts.map(\.id)) == Set(model.people.all.keys), "other accounts")
    var owners: [IdentityKey: AccountID] = [:]
    var verified: [String: AccountID] = [:]
    for account in accounts {
      let person = model.people[account.id]
      check(account.email?.canonical == person?.email, "e-mail of \(account)")
      check(account.emailVerified == person?.verified, "emailVerified of \(account)")
      check(account.disabled == person?.disabled, "disabled of \(account)")
      check(!account.secondFactors.isEmpty == person?.isGuarded, "second factors of \(account)")
      check(
        (account.details.waitingPassword != nil) == person?.waits, "waiting password of \(account)")
      let passwords = account.identities(of: .password)
      check(passwords.count <= 1, "one password at most of \(account)")
      check(
        passwords.allSatisfy { $0.key.subject == account.email?.canonical },
        "a password of the own address of \(account)")
      check(
        account.secondFactors.isEmpty || account.email == nil || account.emailVerified,
        "no unverified address behind a factor of \(account)")
      check(
        Set(account.identities.map(\.key)) == person.map { Set($0.identities.keys) },
        "identities of \(account)")
      for identity in account.identities {
        check(
          owners.updateValue(account.id, forKey: identity.key) == nil, "owners of \(identity.key)")
      }
      if account.emailVerified, let email = account.email?.canonical {
        check(verified.updateValue(account.id, forKey: email) == nil, "owners of \(email)")
      }
    }
    let byID = Dictionary(accounts.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    for session in sessions {
      let identity = byID[session.account]?.identities.first { $0.key == session.identity }
      check(
        identity.map { $0.linkedAt <= session.signedInAt } ?? false,
        "a session of an identity that is gone: \(session)")
    }
    for (alias, id) in survivors { check(id == model.resolve(alias), "the alias \(alias)") }
    return problems.isEmpty ? nil : problems.joined(separator: "\n")
  }
}
