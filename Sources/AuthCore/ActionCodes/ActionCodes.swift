/// Makes and finds e-mailed codes.
///
/// The first part of a code finds its record; the rest is sealed in the record, so that a stolen store yields no code.
struct ActionCodes: Sendable {
  let codes: OneTimeCodes

  /// The length of a code, the same as Firebase's.
  private static let length = 54
  /// The length of the part that finds the record.
  private static let idLength = 22
  /// The maximum length of a user agent as a person sees it.
  private static let agentLength = 200

  /// The sealed content of a code's record.
  private struct Content: Codable {
    let operation: ActionCode.Operation
    let account: AccountID?
    let email: EmailAddress
    let newEmail: EmailAddress?
    let factor: SecondFactorInfo?
    /// The state of the account's ways to sign in when the code was made; nil if the code survives changes to them.
    let mark: String?
    /// The ownership of the account when the code was made.
    var ownership: Ownership?
    let secret: String
    let madeAt: Timestamp
    let continueURL: String?
    /// The network address of the request.
    var address: String?
    /// The user agent of the request.
    var userAgent: String?
    /// The merge that the code undoes.
    var merge: String?
  }

  /// A code that was found.
  struct Found: Sendable {
    let info: ActionCode.Info
    let text: String
    let account: AccountID?
    /// The state of the account's ways to sign in when the code was made; a change since voids the code.
    let mark: String?
    /// The ownership of the account when the code was made; a change since voids the code.
    let ownership: Ownership?
    let madeAt: Timestamp
    let expiresAt: Timestamp
    let recordID: String
    let continueURL: String?
    let address: String?
    let userAgent: String?
    let merge: String?

    var use: OneTimeUse { OneTimeUse(recordID, expiresAt: expiresAt) }
    var issued: ActionCode {
      ActionCode(
        info: info, code: Secret(text), expiresAt: expiresAt, continueURL: continueURL)
    }
  }

  /// Makes a code and its record, which the caller writes.
  func make(
    _ info: ActionCode.Info, of account: Account?, continueURL: String? = nil,
    from client: ClientDescription = ClientDescription(), merge: String? = nil, at now: Timestamp
  ) throws -> (issued: ActionCode, record: OneTimeRecord) {
    let text = RandomText.text(Self.length, alphabet: RandomText.base64URL, codes.random)
    let expiresAt = codes.quirks.end(now.adding(seconds: info.operation.lifetime))
    let id = Self.recordID(text)
    // A code that returns an account to its owner survives later changes, as long as the owner is the same.
    let endsWithSessions = codes.quirks.endsWithSessions(!info.operation.restores)
    let content = Content(
      operation: info.operation, account: account?.id, email: info.email, newEmail: info.newEmail,
      factor: info.factor, mark: endsWithSessions ? account?.waysIn : nil,
      ownership: account?.ownership, secret: String(text.dropFirst(Self.idLength)), madeAt: now,
      continueURL: continueURL, address: client.address,
      userAgent: client.userAgent.map { String($0.prefix(Self.agentLength)) },
      merge: merge)
    let record = OneTimeRecord(
      id: id, kind: .actionCode, account: endsWithSessions ? account?.id : nil,
      expiresAt: expiresAt,
      content: try codes.secrets.seal(try JSONText.encode(content), for: id))
    let issued = ActionCode(
      info: info, code: Secret(text), expiresAt: expiresAt, continueURL: continueURL)
    return (issued, record)
  }

  /// Finds an open code, or throws `invalid-action-code` or `expired-action-code`.
  func find(_ text: String) async throws -> Found {
    guard text.utf8.count == Self.length else {
      throw AuthError.invalidActionCode.failing("No code has this length.")
    }
    let id = Self.recordID(text)
    let scope = codes.scope
    let use = OneTimeUse(id, expiresAt: .never).recordID
    let (record, wasUsed) = try await codes.store.read { reader in
      (try reader.oneTimeRecord(id, in: scope), try reader.oneTimeRecord(use, in: scope) != nil)
    }
    guard !wasUsed else { throw AuthError.invalidActionCode.failing("The code was used before.") }
    guard let record, record.kind == .actionCode else {
      throw AuthError.invalidActionCode.failing("The code is unknown, or was replaced by another.")
    }
    let found = try open(record)
    guard found.text.equalsInConstantTime(text) else {
      throw AuthError.invalidActionCode.failing("The code's secret half is wrong.")
    }
    guard record.expiresAt > codes.clock() else { throw AuthError.expiredActionCode }
    return found
  }

  /// Returns the open codes, oldest first.
  func all() async throws -> [Found] {
    let scope = codes.scope
    let records = try await codes.store.read { reader in
      var open: [OneTimeRecord] = []
      var after: String?
      repeat {
        let page = try reader.oneTimeRecords(.actionCode, after: after, limit: 500, in: scope)
        open += try page.filter {
          guard $0.id.hasPrefix(Self.prefix) else { return false }
          let use = OneTimeUse($0.id, expiresAt: $0.expiresAt)
          return try reader.oneTimeRecord(use.recordID, in: scope) == nil
        }
        after = page.last?.id
      } while after != nil
      return open
    }
    return try records.map(open).sorted { ($0.madeAt, $0.recordID) < ($1.madeAt, $1.recordID) }
  }

  private func open(_ record: OneTimeRecord) throws -> Found {
    let content = try JSONText.decode(
      Content.self, try codes.secrets.open(record.content, for: record.id))
    return Found(
      info: ActionCode.Info(
        operation: content.operation, email: content.email, newEmail: content.newEmail,
        factor: content.factor),
      text: String(record.id.dropFirst(Self.prefix.count)) + content.secret,
      account: content.account, mark: content.mark, ownership: content.ownership,
      madeAt: content.madeAt, expiresAt: record.expiresAt, recordID: record.id,
      continueURL: content.continueURL, address: content.address, userAgent: content.userAgent,
      merge: content.merge)
  }

  /// Makes the record that names the one open change of an account's address.
  func openChange(_ recordID: String, of account: AccountID, until end: Timestamp) -> OneTimeRecord
  {
    OneTimeRecord(
      id: Self.changeID(account), kind: .actionCode, account: account, expiresAt: end,
      content: recordID)
  }

  static func changeID(_ account: AccountID) -> String { "change:\(account)" }

  private static let prefix = "action:"

  private static func recordID(_ text: String) -> String { prefix + text.prefix(idLength) }
}

extension OneTimeCodes {
  /// Checks a code that signs in by e-mail, made by ``AccountGraph/makeActionCode(_:by:)``.
  ///
  /// The subject is the canonical address. Throws `invalid-action-code`, also for a code of another kind, or
  /// `expired-action-code`.
  public func check(emailSignInCode text: String) async throws -> Checked {
    let found = try await ActionCodes(codes: self).find(text)
    guard found.info.operation == .emailSignIn else {
      throw AuthError.invalidActionCode.failing("The code is for something else than signing in.")
    }
    return Checked(subject: found.info.email.canonical, account: nil, use: found.use)
  }
}

extension ActionCode.Operation {
  /// True if the code reverts a change.
  var restores: Bool { self == .recoverEmail || self == .revertSecondFactorAddition }
}

extension Account {
  /// A text that changes if a way to sign in is added, removed or gets a new secret, or if sessions are ended.
  var waysIn: String {
    let identities = identities.map { identity in
      "\(identity.key) \(identity.secret?.changedAt.milliseconds ?? 0)"
    }
    let factors = secondFactors.map { "factor \($0.id)" }
    let rest = ["e-mail \(email?.canonical ?? "")", "since \(validSince?.milliseconds ?? 0)"]
    return (identities.sorted() + factors.sorted() + rest).joined(separator: "\n")
  }
}

extension AuthError {
  static let invalidActionCode = AuthError(
    .invalidActionCode, "The code is unknown, or was used.", field: "oobCode",
    remedy: "Ask for a new one.", step: .credential)
  static let expiredActionCode = AuthError(
    .expiredActionCode, "The code has expired.", field: "oobCode",
    remedy: "Ask for a new one.", step: .credential)
}
