package import AuthCore

/// A way into an account that its person ends.
package enum EndedWay: Sendable, Hashable {
  /// The first identity of a provider.
  case identity(ProviderID)
  case factor
  case sessions

  /// The name of the way in the list of an account's ways in.
  func name(of account: Account?) -> String {
    switch self {
    case .identity(let provider):
      key(of: account)?.description ?? provider.rawValue
    case .factor: WayIn.Kind.secondFactor.rawValue
    case .sessions: WayIn.Kind.sessions.rawValue
    }
  }

  /// The identity that ends.
  func key(of account: Account?) -> IdentityKey? {
    guard case .identity(let provider) = self else { return nil }
    return account?.identities(of: provider).first?.key
  }
}

extension PeopleWorld {
  /// Ends ways into a person's account in one change; the session goes on if it can still sign in.
  func end(_ ways: [EndedWay], by session: KeptSession, _ caller: Caller) async throws -> Outcome {
    let (id, grant) = (session.grant.account, session.grant)
    let result = try await graph.endWaysIn(
      ways.map { $0.name(of: accounts[id]) }, of: id,
      continuing: SessionContinuation(showing: nil) { account in
        guard let identity = grant.identity else {
          return SessionContinuation.WayIn(grant.provider, nil)
        }
        return account.identity(identity).map { _ in
          SessionContinuation.WayIn(grant.provider, identity)
        }
      }, by: caller)
    // The change stands even if the session does not go on.
    let next = try? result.session?.get()
    return Outcome(grant: next, account: id)
  }

  /// The ways that a session may end, each also with all sessions.
  func endings(of account: Account) -> [[EndedWay]] {
    let providers = Set(account.identities.map(\.provider)).sorted()
    var endings: [[EndedWay]] = [[.sessions]]
    endings += providers.map { [.identity($0), .sessions] }
    if providers.count > 1 { endings.append(providers.map(EndedWay.identity)) }
    if !account.secondFactors.isEmpty { endings.append([.factor]) }
    return endings
  }
}

extension Structure {
  /// What a person ended is over: the identities and the factor are gone, and no earlier session goes on.
  func lastingWay() -> Violation? {
    guard case .endWaysIn(let number, let ways) = scene.step, outcome.error == nil,
      let id = scene.sessions[number]?.grant.account, let old = scene.before[id],
      let account = rows.account(id)
    else { return nil }
    for way in ways {
      let isOver =
        switch way {
        case .identity: way.key(of: old).map { account.identity($0) == nil } ?? true
        case .factor: account.secondFactors.isEmpty
        case .sessions:
          scene.sessions.values.filter { $0.grant.account == id }.allSatisfy {
            account.hasEnded(.of($0.grant.mark), begunAt: $0.grant.signedInAt)
          }
        }
      guard isOver else {
        return Violation(
          name: "Structure, a lasting way in by \(scene.step.kind)", details: "\(way) of \(account)"
        )
      }
    }
    return nil
  }
}
