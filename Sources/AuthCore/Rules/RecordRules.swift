/// The rules that decide whether the record of a whole account fits among the existing accounts.
///
/// An import of a file and an upload by Firebase's `batchCreate` share them.
struct RecordRules: Sendable {
  let record: Account
  let known: Known
  /// The time of the import.
  let now: Timestamp
  var refusesSharedEmails = false

  /// The treatment of a record whose uid already has an account.
  enum Known: Sendable {
    /// The record is refused.
    case refused
    /// The record replaces the whole account.
    case replaces
    /// The record is accepted if it equals the account, and refused otherwise.
    ///
    /// Not every file has the time of the sign-up.
    case repeats(isCreationTimeKnown: Bool)
  }

  /// The keys of all accounts that the rules need.
  var keys: [AccountKey] { record.recordKeys }

  func outcome(_ snapshot: Snapshot) -> ImportOutcome {
    if let refusal = record.uidRefusal { return .refused(refusal) }
    if let found = snapshot.found[.uid(record.id)]?.first {
      if found == record.id, isRepeated(snapshot) { return .unchanged }
      if let refusal = uidRefusal(found) { return .refused(refusal) }
    }
    if let deletion = snapshot.keeper(of: record.id, at: now) {
      return .refused(.uidKept(record.id, by: deletion))
    }
    if let refusal = refusal(snapshot) { return .refused(refusal) }
    let sharing = record.email.map { others(.email($0), snapshot) } ?? []
    return sharing.isEmpty ? .imported : .sharesEmail(sharing.map(\.id))
  }

  private func refusal(_ snapshot: Snapshot) -> AuthError? {
    guard record.scope == snapshot.scope else { return Self.tenantMismatch }
    if let excess = record.excess(beside: snapshot.accounts(.uid(record.id))) { return excess }
    for key in record.identities.flatMap(\.keys) {
      if let owner = others(.identity(key), snapshot).first { return takenIdentity(key, owner) }
    }
    if let number = record.phoneNumber, let owner = others(.phone(number), snapshot).first {
      return AuthError(
        .phoneNumberAlreadyExists, "The account \(owner.id) has the phone number \(number).",
        field: "phoneNumber", remedy: "Keep the number in one record only.", step: .decision)
    }
    if let refusal = takenEmail(snapshot) { return refusal }
    if isUpload, !record.secondFactors.isEmpty, !record.emailVerified { return .unverifiedEmail }
    return record.recordRefusal
  }

  /// True for Firebase's upload, which refuses a second factor without a verified address; files of our own may have
  /// it.
  private var isUpload: Bool {
    if case .repeats = known { false } else { true }
  }

  private func takenIdentity(_ key: IdentityKey, _ owner: Account) -> AuthError {
    let code: AuthError.Code =
      switch key.provider {
      case .password, .emailLink: .emailAlreadyInUse
      case .phone: .phoneNumberAlreadyExists
      default: .credentialAlreadyInUse
      }
    return AuthError(
      code, "The account \(owner.id) owns the identity \(key).", field: "providerUserInfo",
      remedy: "Keep the identity in one record only.", step: .decision)
  }

  private func uidRefusal(_ found: AccountID) -> AuthError? {
    guard found == record.id else {
      return AuthError(
        .uidAlreadyExists, "The account was merged into \(found).", field: "localId",
        remedy: "Undo the merge first if the record is right.", step: .decision)
    }
    switch known {
    case .replaces: return nil
    case .refused:
      return AuthError(
        .uidAlreadyExists, "The uid belongs to an account that exists.", field: "localId",
        remedy: "Allow overwriting, or leave the record out.", step: .decision)
    case .repeats:
      return AuthError(
        .uidAlreadyExists, "The uid is in use by an account with other content.",
        field: "localId", remedy: "Compare both; the store keeps what it has.", step: .decision)
    }
  }

  private func takenEmail(_ snapshot: Snapshot) -> AuthError? {
    guard let email = record.email else { return nil }
    if record.emailVerified,
      let owner = snapshot.owners(of: email, beside: [record.id], shown: .mailbox).first
    {
      return AuthError(
        .emailAlreadyInUse, "The account \(owner.id) has verified the address \(email).",
        field: "email",
        remedy: "Import it with emailVerified = false, and join the two with merge.plan.",
        step: .decision)
    }
    guard refusesSharedEmails, let owner = others(.email(email), snapshot).first else { return nil }
    return AuthError(
      .emailAlreadyInUse, "The account \(owner.id) has the address \(email).", field: "email",
      remedy: "Keep the address in one record only, or allow duplicates.", step: .decision)
  }

  private func others(_ key: AccountKey, _ snapshot: Snapshot) -> [Account] {
    snapshot.accounts(key).filter { $0.id != record.id }
  }

  private func isRepeated(_ snapshot: Snapshot) -> Bool {
    guard case .repeats(let isCreationTimeKnown) = known,
      let stored = snapshot.accounts[record.id]
    else { return false }
    return stored.isSaid(by: record, isCreationTimeKnown: isCreationTimeKnown)
  }

  private static let tenantMismatch = AuthError(
    .tenantMismatch, "The record is of another tenant.", field: "tenantId",
    remedy: "Send it to its own tenant.", step: .decision)
}

extension Account {
  /// The keys by which accounts may conflict with a record.
  var recordKeys: [AccountKey] {
    [.uid(id)] + identities.flatMap(\.keys).map(AccountKey.identity)
      + [email.map(AccountKey.email), phoneNumber.map(AccountKey.phone)].compactMap(\.self)
  }

  /// Tells whether a record equals the account, as far as a file can express it.
  fileprivate func isSaid(by record: Account, isCreationTimeKnown: Bool) -> Bool {
    var stored = self
    // The time of an import is not part of the imported data.
    stored.revision = record.revision
    stored.validSince = record.validSince
    stored.ownership = record.ownership
    stored.generation = record.generation
    if !isCreationTimeKnown {
      stored.createdAt = record.createdAt
      for index in stored.secondFactors.indices where index < record.secondFactors.count {
        stored.secondFactors[index].enrolledAt = record.secondFactors[index].enrolledAt
      }
    }
    stored.details.waitingPassword?.changedAt =
      record.details.waitingPassword?.changedAt ?? record.createdAt
    // Sealing the same secret twice gives different texts.
    for index in stored.secondFactors.indices
    where index < record.secondFactors.count && stored.secondFactors[index].secret != nil
      && record.secondFactors[index].secret != nil
    {
      stored.secondFactors[index].secret = record.secondFactors[index].secret
    }
    for index in stored.identities.indices where index < record.identities.count {
      let imported = record.identities[index]
      stored.identities[index].linkedAt = imported.linkedAt
      stored.identities[index].secret?.changedAt = imported.secret?.changedAt ?? imported.linkedAt
      // Files do not contain replaced keys.
      stored.identities[index].predecessors = []
    }
    return stored == record
  }
}
