/// Decides whether a record of a whole account fits beside the accounts that exist.
///
/// An import of a file and an upload of Firebase's `batchCreate` ask it alike.
struct RecordRules: Sendable {
  let record: Account
  let known: Known
  var refusesSharedEmails = false

  /// What becomes of a record whose uid an account has already.
  enum Known: Sendable {
    case refused
    /// It replaces the account as a whole.
    case replaces
    /// It says nothing new if the account is the same, and is refused otherwise; not every file says when an account was
    /// opened.
    case repeats(isCreationTimeKnown: Bool)
  }

  /// Every key whose accounts the rules have to see.
  var keys: [AccountKey] { record.recordKeys }

  func outcome(_ snapshot: Snapshot) -> ImportOutcome {
    if let refusal = record.uidRefusal { return .refused(refusal) }
    if let found = snapshot.found[.uid(record.id)]?.first {
      if found == record.id, isRepeated(snapshot) { return .unchanged }
      if let refusal = uidRefusal(found) { return .refused(refusal) }
    }
    if let refusal = refusal(snapshot) { return .refused(refusal) }
    let sharing = record.email.map { others(.email($0), snapshot) } ?? []
    return sharing.isEmpty ? .imported : .sharesEmail(sharing.map(\.id))
  }

  private func refusal(_ snapshot: Snapshot) -> AuthError? {
    guard record.scope == snapshot.scope else { return Self.tenantMismatch }
    if let excess = record.excess(beside: snapshot.accounts(.uid(record.id))) { return excess }
    for key in record.identities.flatMap(\.keys) where !others(.identity(key), snapshot).isEmpty {
      return takenIdentity(key)
    }
    if let number = record.phoneNumber, !others(.phone(number), snapshot).isEmpty {
      return AuthError(
        .phoneNumberAlreadyExists, "Another account has the phone number \(number).",
        field: "phoneNumber", remedy: "Keep the number in one record only.", step: .decision)
    }
    if let refusal = takenEmail(snapshot) { return refusal }
    if isUpload, !record.secondFactors.isEmpty, !record.emailVerified { return .unverifiedEmail }
    return record.recordRefusal
  }

  /// Firebase's upload takes no second factor without a verified address; a file of our own has such accounts.
  private var isUpload: Bool {
    if case .repeats = known { false } else { true }
  }

  private func takenIdentity(_ key: IdentityKey) -> AuthError {
    let code: AuthError.Code =
      switch key.provider {
      case .password, .emailLink: .emailAlreadyInUse
      case .phone: .phoneNumberAlreadyExists
      default: .credentialAlreadyInUse
      }
    return AuthError(
      code, "Another account owns the identity \(key).", field: "providerUserInfo",
      remedy: "Keep the identity in one record only, or merge the two accounts.", step: .decision)
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
      !snapshot.owners(of: email, beside: [record.id], shown: .mailbox).isEmpty
    {
      return AuthError(
        .emailAlreadyInUse, "Another account has verified the address \(email).", field: "email",
        remedy: "Keep emailVerified in one record only, or merge the two accounts.",
        step: .decision)
    }
    guard refusesSharedEmails, !others(.email(email), snapshot).isEmpty else { return nil }
    return AuthError(
      .emailAlreadyInUse, "Another account has the address \(email).", field: "email",
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
  /// The keys by which accounts may be in the way of a record.
  var recordKeys: [AccountKey] {
    [.uid(id)] + identities.flatMap(\.keys).map(AccountKey.identity)
      + [email.map(AccountKey.email), phoneNumber.map(AccountKey.phone)].compactMap(\.self)
  }

  /// Whether a record says what the account is, as far as a file can.
  fileprivate func isSaid(by record: Account, isCreationTimeKnown: Bool) -> Bool {
    var stored = self
    // When the import ran is not part of what was imported.
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
    // A secret that is sealed never looks the same twice.
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
      // No file tells of keys that were replaced.
      stored.identities[index].predecessors = []
    }
    return stored == record
  }
}
