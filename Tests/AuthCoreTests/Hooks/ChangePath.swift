import AuthCore
import AuthTesting
import TestSupport

/// A way in which an account gets or loses an identity.
enum ChangePath: String, CaseIterable, Sendable {
  case link, assertion, trustedAddress, upgrade, unlink, adminUnlink, update, adminUpdate
  case adminMerge, batch, ownMerge, policyMerge, undo

  /// The event that a script is asked about.
  var kind: ChangeEvent.Kind {
    switch self {
    case .link, .assertion, .trustedAddress, .upgrade: .beforeLink
    case .unlink, .adminUnlink, .update, .adminUpdate: .beforeUnlink
    case .adminMerge, .batch, .ownMerge, .policyMerge: .beforeMerge
    case .undo: .beforeUndo
    }
  }

  var caller: ChangeEvent.CallerKind {
    switch self {
    case .assertion, .adminUnlink, .adminUpdate, .adminMerge, .batch, .undo: .admin
    case .trustedAddress: .anyone
    case .link, .upgrade, .unlink, .update, .ownMerge, .policyMerge: .person
    }
  }

  typealias Act = @Sendable (_ signedInSeconds: Int64, _ secondFactor: Bool) async throws -> Void

  /// Prepares the accounts, and returns the act, whose session began that many seconds before.
  func prepared(on home: TestHome) async throws -> Act {
    let graph = home.graph
    @Sendable func session(_ id: AccountID, _ age: Int64, _ factor: Bool) -> Caller {
      home.session(id, signedInAt: home.clock.now.adding(seconds: -age), secondFactor: factor)
    }
    switch self {
    case .link:
      let (id, credential) = (try await first(home), try home.vendor("9", email: nil, name: "Bo"))
      return { age, factor in
        _ = try await graph.link(credential, to: id, by: session(id, age, factor))
      }
    case .assertion:
      let id = try await first(home)
      return { _, _ in
        _ = try await graph.assert(
          IdentityKey(TestHome.other, subject: "9"), profile: IdentityProfile(), on: id,
          by: home.admin)
      }
    case .trustedAddress:
      _ = try await home.person("ada")
      try await home.trust(TestHome.other)
      let credential = try home.vendor("9", email: "ada@example.com", verified: true)
      return { _, _ in _ = try await home.signIn(credential) }
    case .upgrade:
      let id = try await home.signIn(graph.providers.credential(.anonymous, [:])).account.id
      let credential = try home.vendor("9", email: nil)
      return { age, factor in
        _ = try await graph.link(credential, to: id, by: session(id, age, factor))
      }
    case .unlink, .adminUnlink, .update, .adminUpdate:
      let id = try await first(home)
      _ = try await graph.link(
        home.vendor("9", email: nil), to: id, by: session(id, 0, false))
      return { [self] age, factor in
        let isAdmins = caller == .admin
        let caller = isAdmins ? home.admin : session(id, age, factor)
        if [.unlink, .adminUnlink].contains(self) {
          _ = try await graph.unlink(TestHome.other, from: id, by: caller)
        } else {
          var update = AccountUpdate()
          update.unlinks = [TestHome.other]
          _ = try await graph.update(id, update, by: caller)
        }
      }
    case .adminMerge, .undo:
      let (keep, absorb) = (try await first(home), try await second(home))
      let plan = try await graph.planMerge(keep: keep, absorb: absorb, in: home.scope)
      guard self == .undo else {
        return { _, _ in _ = try await graph.commit(plan, by: home.admin) }
      }
      let merge = try await graph.commit(plan, by: home.admin).id
      return { _, _ in _ = try await graph.undoMerge(merge, by: home.admin) }
    case .batch:
      try await home.add(
        "a", email: "ada@example.com", verified: true, age: 9, identities: [TestHome.key("1")])
      try await home.add("b", email: "ada@example.com", age: 5)
      let proposal = try await home.proposals().first.unwrapped("proposal")
      _ = try await graph.plan([proposal.pair], forBatch: "batch", by: home.admin)
      return { _, _ in
        _ = try await graph.commit(proposal, ofBatch: "batch", after: [:], by: home.admin)
      }
    case .ownMerge:
      let (keep, absorb) = (try await first(home), try await second(home))
      return { age, factor in
        func proof(_ id: AccountID, _ key: IdentityKey) -> ProvenSession {
          ProvenSession(
            scope: home.scope, account: id, signedInAt: home.clock.now.adding(seconds: -age),
            provider: key.provider, identity: key, secondFactor: nil)
        }
        _ = try await graph.merge(
          OwnMerge(
            proof(absorb, IdentityKey(TestHome.other, subject: "8")),
            into: proof(keep, IdentityKey(TestHome.fake, subject: "1"))))
      }
    case .policyMerge:
      let (keep, _) = (try await first(home), try await second(home))
      try await home.use(ChangePath.policy)
      let credential = try home.vendor("8", email: nil)
      return { age, factor in
        _ = try await graph.link(credential, to: keep, by: session(keep, age, factor))
      }
    }
  }

  /// The policy of the homes in which accounts merge while they are linked.
  static let policy = ClosurePolicy { conflict in
    .merge(into: conflict.current.id, from: conflict.existing.id, MergeRules())
  }

  /// Makes the account of `fake.example/1`, which has been there for an hour.
  private func first(_ home: TestHome) async throws -> AccountID {
    let id = try await home.signIn(home.credential("1")).account.id
    home.clock.advance(seconds: 3600)
    return id
  }

  private func second(_ home: TestHome) async throws -> AccountID {
    let id = try await home.signIn(home.vendor("8", email: nil)).account.id
    home.clock.advance(seconds: 3600)
    return id
  }
}
