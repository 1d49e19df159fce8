import AuthCore

extension PeopleWorld {
  /// Performs a step of a person, or of the admin.
  func perform(_ step: Step, by person: Person?) async throws -> Outcome {
    guard let person else { return try await performAsAdmin(step) }
    if let number = step.session, let session = sessions[number] {
      return try await perform(step, of: session)
    }
    switch step {
    case .anonymous: return try await enter(.anonymous, [:])
    case .appUser(let person):
      return try await enter(.custom, ["token": person.appUser.rawValue])
    case .vendor(let person, let vendor, let mailbox):
      return try await enter(vendor.id, fields(vendor, person, mailbox))
    case .phone(let person): return try await enter(.phone, ["number": person.phoneNumber])
    case .signUp(let person, let mailbox):
      let credential = try credential(.password, password(of: person, mailbox))
      return Outcome(grant: try await graph.signUp(credential, by: anyone).session)
    case .password(let person, let mailbox):
      return try await enter(.password, password(of: person, mailbox))
    case .linkAtOnce(let mailbox):
      guard let issued = try await ask(.emailSignIn, mailbox).code else { return Outcome() }
      return try await enter(.emailLink, link(issued, mailbox))
    case .resetAtOnce(let mailbox):
      guard let issued = try await ask(.resetPassword, mailbox).code else {
        throw AuthError(.userNotFound, "Nobody is sent a code.")
      }
      return try await use(issued, of: mailbox, by: person)
    case .askLink(let mailbox): return try await ask(.emailSignIn, mailbox)
    case .askReset(let mailbox): return try await ask(.resetPassword, mailbox)
    case .use(let number):
      guard let code = codes[number], let mailbox = code.mailbox else { return Outcome() }
      return try await use(code.issued, of: mailbox, by: person)
    case .vouch(let person, let vendor, let mailbox):
      let credential = try credential(vendor.id, fields(vendor, person, mailbox))
      let verified = try await graph.verify(credential, by: anyone)
      return Outcome(
        token: try await graph.storePendingCredential(verified),
        vouchedKey: IdentityKey(vendor.id, subject: vendor.subject(of: person, at: issuer)))
    case .signInVouched(let number):
      guard let kept = credentials[number] else { return Outcome() }
      let verified = try await graph.pendingCredential(kept.token.reveal(), by: anyone)
      return Outcome(grant: try await graph.signIn(verified, by: anyone).session)
    default: return Outcome()
    }
  }

  private func enter(_ provider: ProviderID, _ fields: [String: String]) async throws -> Outcome {
    let credential = try credential(provider, fields)
    return Outcome(grant: try await graph.signIn(credential, by: anyone).session)
  }

  /// Requests a code for a mailbox, as the admin, because clients' requests are limited.
  private func ask(
    _ operation: ActionCode.Operation, _ mailbox: Mailbox
  ) async throws -> Outcome {
    let request = ActionCodeRequest(operation, email: try mailbox.address())
    return Outcome(code: try await graph.makeActionCode(request, by: admin))
  }

  /// Uses a code as its mailbox's owner does.
  private func use(
    _ issued: ActionCode, of mailbox: Mailbox, by person: Person
  ) async throws -> Outcome {
    let code = issued.code.reveal()
    let result: ActionCodeResult
    switch issued.info.operation {
    case .emailSignIn: return try await enter(.emailLink, link(issued, mailbox))
    case .resetPassword:
      result = try await graph.confirmPasswordReset(
        code, newPassword: Secret(person.password), by: anyone)
    default: result = try await graph.applyActionCode(code, by: anyone)
    }
    return Outcome(
      account: result.account.id, code: result.recovery, codeAccount: result.account.id)
  }

  func credential(_ provider: ProviderID, _ fields: [String: String]) throws -> Credential {
    try graph.providers.credential(provider, fields)
  }

  func fields(_ vendor: Vendor, _ person: Person, _ mailbox: Mailbox?) -> [String: String] {
    var fields = ["subject": vendor.subject(of: person, at: issuer)]
    fields["email"] = mailbox?.text
    fields["emailVerified"] = "true"
    if vendor == .team { fields["issuer"] = issuer?.rawValue }
    return fields
  }

  func password(of person: Person, _ mailbox: Mailbox) -> [String: String] {
    ["email": mailbox.text, "password": person.password]
  }

  func link(_ issued: ActionCode, _ mailbox: Mailbox) -> [String: String] {
    ["email": mailbox.text, "link": issued.code.reveal()]
  }
}
