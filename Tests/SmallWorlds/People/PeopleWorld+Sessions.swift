import AuthCore

extension PeopleWorld {
  /// Performs a step with a person's session.
  func perform(_ step: Step, of session: KeptSession) async throws -> Outcome {
    let (person, id, caller) = (session.person, session.grant.account, caller(of: session))
    switch step {
    case .linkVouched(let number, _):
      guard let kept = credentials[number] else { return Outcome() }
      let verified = try await graph.pendingCredential(kept.token.reveal(), by: caller)
      return Outcome(grant: try await graph.linkForSession(verified, to: id, by: caller).session)
    case .linkVendor(_, let vendor, let mailbox):
      return try await link(vendor.id, fields(vendor, person, mailbox), session)
    case .linkPhone: return try await link(.phone, ["number": person.phoneNumber], session)
    case .linkPassword(_, let mailbox):
      return try await link(.password, password(of: person, mailbox), session)
    case .linkMailbox(_, let mailbox):
      let request = ActionCodeRequest(.emailSignIn, email: try mailbox.address())
      guard let issued = try await graph.makeActionCode(request, by: admin) else {
        return Outcome()
      }
      return try await link(.emailLink, link(issued, mailbox), session)
    case .unlink(_, let provider):
      _ = try await graph.unlink(provider, from: id, by: caller)
      return Outcome(account: id)
    case .endWaysIn(_, let ways): return try await end(ways, by: session, caller)
    case .setEmail(_, let mailbox):
      var changes = ProfileChanges()
      changes.email = try mailbox.map { .set(try $0.address()) } ?? .clear
      return try await update(changes, of: session)
    case .setPassword:
      var changes = ProfileChanges()
      changes.password = Secret(person.password)
      return try await update(changes, of: session)
    case .askVerification:
      let request = ActionCodeRequest(.verifyEmail)
      return Outcome(
        code: try await graph.makeActionCode(request, by: caller), codeAccount: id)
    case .askChange(_, let mailbox):
      let request = ActionCodeRequest(.verifyAndChangeEmail, newEmail: try mailbox.address())
      return Outcome(
        code: try await graph.makeActionCode(request, by: caller), codeAccount: id)
    case .renew:
      let renewed = try await graph.renewSession(
        provider: session.grant.provider, identity: session.grant.identity, showing: nil,
        by: caller)
      return Outcome(grant: renewed.session)
    case .merge(let other, _):
      guard let other = sessions[other] else { return Outcome() }
      let owners = auditor.residents(of: id)
      let result = try await graph.merge(OwnMerge(proof(of: other), into: proof(of: session)))
      return Outcome(
        grant: result.session,
        merge: KeptMerge(
          id: result.receipt.id, survivor: result.account.id,
          absorbed: result.account.id == id ? other.grant.account : id, owners: owners))
    case .moveOwn(let other, _, let vendor):
      guard let other = sessions[other], let before = accounts[other.grant.account],
        let target = accounts[id]
      else { return Outcome() }
      let credential = try credential(vendor.id, fields(vendor, person, nil))
      let result = try await graph.move(
        credential, by: OwnMove(from: proof(of: other), to: proof(of: session)))
      return Outcome(
        account: id,
        merge: KeptMerge(
          id: result.receipt.id, survivor: other.grant.account, absorbed: id,
          owners: auditor.residents(of: id), before: [before, target]))
    case .deleteOwn:
      _ = try await graph.delete(id, by: caller)
      return Outcome()
    case .enroll:
      guard auditor.residents(of: id) == [person], let account = accounts[id],
        !account.hasEnded(.of(session.grant.mark), begunAt: session.grant.signedInAt)
      else { return Outcome() }
      var changes = ProfileChanges()
      changes.secondFactors = [SecondFactor(id: person.factor, kind: .totp)]
      _ = try await graph.update(id, changes, by: admin)
      return Outcome(account: id)
    default: return Outcome()
    }
  }

  private func link(
    _ provider: ProviderID, _ fields: [String: String], _ session: KeptSession
  ) async throws -> Outcome {
    let credential = try credential(provider, fields)
    let id = session.grant.account
    let owners = auditor.residents(of: id)
    let result = try await graph.linkForSession(credential, to: id, by: caller(of: session))
    // A policy may have merged instead, with either account as the survivor.
    let isMerged = result.receipt.action == .merge
    let merged = isMerged ? try await graph.merges(limit: 1, in: Self.scope).first : nil
    return Outcome(
      grant: result.session,
      merge: merged.map {
        KeptMerge(id: $0.id, survivor: $0.survivor, absorbed: $0.absorbed, owners: owners)
      })
  }

  private func update(
    _ changes: ProfileChanges, of session: KeptSession
  ) async throws -> Outcome {
    var update = AccountUpdate()
    update.profile = changes
    let id = session.grant.account
    let result = try await graph.update(id, update, by: caller(of: session))
    return Outcome(account: id, code: result.recovery, codeAccount: id)
  }

  /// Returns the caller that a token of the session names.
  private func caller(of session: KeptSession) -> Caller {
    let grant = session.grant
    var caller = Caller(
      scope: Self.scope,
      authority: .session(
        grant.account, signedInAt: grant.signedInAt, secondFactor: false,
        identity: grant.identity))
    caller.mark = mark(of: session)
    return caller
  }

  private func proof(of session: KeptSession) -> ProvenSession {
    let grant = session.grant
    return ProvenSession(
      scope: Self.scope, account: grant.account, signedInAt: grant.signedInAt,
      provider: grant.provider, identity: grant.identity, secondFactor: nil,
      mark: mark(of: session))
  }

  private func mark(of session: KeptSession) -> ShownMark {
    fault == .endlessSessions ? .untold : .of(session.grant.mark)
  }
}
