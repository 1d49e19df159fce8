import AuthCore

extension PeopleWorld {
  /// Does a step with a session that a person keeps.
  func perform(_ step: Step, of session: KeptSession) async throws -> Outcome {
    let (person, id, caller) = (session.person, session.grant.account, session.caller)
    switch step {
    case .linkVouched(let number, _):
      guard let kept = credentials[number] else { return Outcome() }
      let vouched = try await graph.vouched(by: kept.token.reveal(), by: caller)
      return Outcome(grant: try await graph.linkForSession(vouched, to: id, by: caller).session)
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
      let result = try await graph.merge(OwnMerge(other.proof, into: session.proof))
      return Outcome(
        grant: result.session,
        merge: KeptMerge(
          id: result.receipt.id, survivor: result.account.id,
          absorbed: result.account.id == id ? other.grant.account : id, owners: owners))
    case .deleteOwn:
      _ = try await graph.delete(id, by: caller)
      return Outcome()
    default: return Outcome()
    }
  }

  private func link(
    _ provider: ProviderID, _ fields: [String: String], _ session: KeptSession
  ) async throws -> Outcome {
    let credential = try credential(provider, fields)
    let result = try await graph.linkForSession(
      credential, to: session.grant.account, by: session.caller)
    return Outcome(grant: result.session)
  }

  private func update(
    _ changes: ProfileChanges, of session: KeptSession
  ) async throws -> Outcome {
    var update = AccountUpdate()
    update.profile = changes
    let id = session.grant.account
    let result = try await graph.update(id, update, by: session.caller)
    return Outcome(account: id, code: result.recovery, codeAccount: id)
  }
}

extension KeptSession {
  /// The session as a token of it would name it.
  var caller: Caller {
    var caller = Caller(
      scope: PeopleWorld.scope,
      authority: .session(
        grant.account, signedInAt: grant.signedInAt, secondFactor: false,
        identity: grant.identity))
    caller.mark = .of(grant.mark)
    return caller
  }

  var proof: ProvenSession {
    ProvenSession(
      scope: PeopleWorld.scope, account: grant.account, signedInAt: grant.signedInAt,
      provider: grant.provider, identity: grant.identity, secondFactor: nil,
      mark: .of(grant.mark))
  }
}
