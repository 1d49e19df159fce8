import AuthCore
import AuthTesting
import TestSupport

// Accounts that share an address or a number, as an import leaves them.
extension TestHome {
  /// The subject of an identity of the rehearsal provider.
  static func key(_ subject: String, of provider: ProviderID = fake) -> IdentityKey {
    IdentityKey(provider, subject: subject)
  }

  /// Imports an account with an address; a larger `age` is an earlier creation.
  @discardableResult
  func add(
    _ id: String, email: String? = "p@example.com", verified: Bool = false, age: Int64 = 0,
    identities: [IdentityKey] = [], _ change: (inout Account) throws -> Void = { _ in }
  ) async throws -> AccountID {
    var account = Account(
      id: AccountID(id), scope: scope, createdAt: clock.now.adding(seconds: -1000 - age))
    account.email = try email.map { try EmailAddress($0) }
    account.emailVerified = verified
    account.identities = identities.map {
      Identity(key: $0, origin: .imported, linkedAt: account.createdAt)
    }
    try change(&account)
    let outcomes = try await graph.importAccounts(
      [ImportedAccount(account: account, line: 1)], by: admin)
    if case .refused(let error) = outcomes.first { throw error }
    return account.id
  }

  /// Returns the proposals for all groups, by the default rules or a policy.
  func proposals(
    by key: DuplicateKey = .email, policy: (any MergePolicy)? = nil,
    rules: MergeRules = MergeRules()
  ) async throws -> [MergeProposal] {
    try await graph.mergeGroups(by: key, limit: 1000, in: scope).flatMap { group in
      try group.proposals(
        by: policy.map { .policy(PoliciesInForce($0)) } ?? .rules { _, _ in rules })
    }
  }

  /// Returns the proposals for pairs that a file or a batch kept.
  func proposals(
    for pairs: [MergePair], decided decision: MergeProposal.Decision = .merge,
    after entries: [MergeBatch.Entry] = [], replanning: Bool = false
  ) async throws -> [MergeProposal] {
    try await graph.propose(
      pairs.map { ($0, decision, "") }, after: MergeSimulation(),
      entries: MergeBatchEntries(entries), replanning: replanning, in: scope
    ).proposals
  }

  /// Commits proposals as a batch in their order; returns the receipts.
  @discardableResult
  func commit(_ proposals: [MergeProposal], asBatch id: String) async throws -> [Receipt] {
    try await graph.plan(proposals.map(\.pair), forBatch: id, by: admin)
    var entries = MergeBatchEntries(try await graph.mergeBatchEntries(of: id, in: scope))
    var receipts: [Receipt] = []
    for proposal in proposals where entries.byAbsorbed[proposal.pair.absorb] == nil {
      let (receipt, entry) = try await graph.commit(
        proposal, ofBatch: id, after: entries.lastByKept, by: admin)
      entries.add(entry)
      receipts.append(receipt)
    }
    return receipts
  }

  /// Undoes a batch, the last merge first.
  func undo(batch id: String) async throws {
    for entry in try await graph.mergeBatchEntries(of: id, in: scope).reversed() {
      _ = try await graph.undoMerge(entry.id, by: admin)
    }
  }
}
