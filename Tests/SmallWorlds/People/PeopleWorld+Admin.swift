import AuthCore

extension PeopleWorld {
  /// Performs a step of the admin, who does what people request, but gives no person another one's account.
  func performAsAdmin(_ step: Step) async throws -> Outcome {
    switch step {
    case .disable(let id, let isOn): _ = try await graph.setDisabled(isOn, id, by: admin)
    case .delete(let id): _ = try await graph.delete(id, by: admin)
    case .create(let id, let person, let mailbox, let isVerified):
      var changes = ProfileChanges()
      if let mailbox {
        changes.email = .set(try mailbox.address())
        changes.emailVerified = isVerified
        changes.password = Secret(person.password)
      }
      _ = try await graph.create(changes, uid: id, by: admin)
      return Outcome(account: id)
    case .importAccount(let id, _, let mailbox):
      guard accounts[id] == nil else {
        throw AuthError(.uidAlreadyExists, "There is such an account.")
      }
      var account = Account(id: id, scope: Self.scope, createdAt: Timestamp(milliseconds: 1))
      account.email = try mailbox?.address()
      let record = ImportedAccount(account: account, line: 1, isCreationTimeKnown: false)
      let outcomes = try await graph.importAccounts([record], by: admin)
      if case .refused(let error)? = outcomes.first { throw error }
      return Outcome(account: id)
    case .forgetTeam:
      _ = try await graph.forgetConfiguration(of: Vendor.team.id, force: true, by: admin)
      issuer = nil
    case .setUpTeam(let next): return try await setUpTeam(next)
    case .trustHonest(let isOn):
      _ = try await graph.changeSettings(by: admin) {
        $0.trust[Vendor.honest.id] = isOn ? .always : .never
      }
      isHonestTrusted = isOn
    case .close(let provider, let isClosed):
      _ = try await graph.changeSettings(by: admin) { settings in
        if isClosed {
          settings.signIn.closedProviders.insert(provider)
        } else {
          settings.signIn.closedProviders.remove(provider)
        }
      }
      if isClosed { closed.insert(provider) } else { closed.remove(provider) }
    case .closeDoors(let isClosed): doors.isClosed = isClosed
    case .oneAccountPerEmail(let isOn):
      _ = try await graph.changeSettings(by: admin) { $0.oneAccountPerEmail = isOn }
      hasOneAccountPerEmail = isOn
    case .undo(let number, let force):
      guard let merge = merges[number] else { return Outcome() }
      // The store of the search keeps no events, by which the graph would tell the two apart.
      if merge.before.isEmpty {
        _ = try await graph.undoMerge(merge.id, force: force, by: admin)
      } else {
        _ = try await graph.undoTransfer(merge.id, force: force, by: admin)
      }
      return Outcome(account: merge.survivor)
    case .adminMerge(let kept, let absorbed):
      let plan = try await graph.planMerge(keep: kept, absorb: absorbed, in: Self.scope)
      let receipt = try await graph.commit(plan, by: admin)
      return Outcome(
        account: kept,
        merge: KeptMerge(
          id: receipt.id, survivor: kept, absorbed: absorbed,
          owners: auditor.residents(of: kept)))
    case .split(let id, let provider):
      guard let key = accounts[id]?.identities(of: provider).first?.key else { return Outcome() }
      let rules = SplitRules(identities: [key])
      return try await commit(graph.planSplit(id, by: rules, in: Self.scope))
    case .move(let provider, let id, let other):
      guard let key = accounts[id]?.identities(of: provider).first?.key else { return Outcome() }
      return try await commit(graph.planMove(key, from: id, to: other, in: Self.scope))
    case .mergeByPolicy(let isOn):
      _ = try await graph.changeSettings(by: admin) {
        $0.mergePolicy = isOn ? MergingPolicy.source : nil
      }
      mergesByPolicy = isOn
    default: break
    }
    return Outcome()
  }

  /// Commits a split or a move, and keeps it to be undone.
  private func commit(_ plan: TransferPlan) async throws -> Outcome {
    let receipt = try await graph.commit(plan, by: admin)
    let target = plan.targetAfter.id
    return Outcome(
      account: target,
      merge: KeptMerge(
        id: receipt.id, survivor: plan.source.id, absorbed: target,
        owners: auditor.residents(of: plan.source.id),
        before: [plan.source] + [plan.target].compactMap(\.self)))
  }

  /// Configures the team's vendor.
  ///
  /// The admin trusts the first issuer with addresses, and never the second.
  func setUpTeam(_ next: Issuer) async throws -> Outcome {
    _ = try await graph.configure(
      Vendor.team.id, values: ["issuer": .string(next.rawValue)], by: admin)
    issuer = next
    if next == .first {
      _ = try await graph.changeSettings(by: admin) { $0.trust[Vendor.team.id] = .always }
    }
    return Outcome()
  }
}
