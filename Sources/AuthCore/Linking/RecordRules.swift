/// Decides whether a whole record fits beside the accounts that exist.
struct RecordRules: Sendable {
  let record: Account
  let overwriting: Bool
  let refusesSharedEmails: Bool

  /// Every key whose accounts the rules have to see.
  var keys: [AccountKey] {
    [.uid(record.id)] + record.identities.flatMap(\.keys).map(AccountKey.identity)
      + [record.email.map(AccountKey.email), record.phoneNumber.map(AccountKey.phone)]
      .compactMap(\.self)
  }

  func outcome(_ snapshot: Snapshot) -> ImportOutcome {
    if let refusal = refusal(snapshot) { return .refused(refusal) }
    let sharing = record.email.map { others(.email($0), snapshot) } ?? []
    return sharing.isEmpty ? .imported : .sharesEmail(sharing.map(\.id))
  }

  private func refusal(_ snapshot: Snapshot) -> AuthError? {
    do throws(AuthError) { _ = try AccountID(validating: record.id.rawValue) } catch {
      return error
    }
    guard record.scope == snapshot.scope else { return Self.tenantMismatch }
    if let excess = record.excess(beside: snapshot.accounts(.uid(record.id))) { return excess }
    if let refusal = uidRefusal(snapshot) { return refusal }
    for identity in record.identities {
      for key in identity.keys where !others(.identity(key), snapshot).isEmpty {
        switch key.provider {
        case .password: return .emailAlreadyInUse
        case .phone: return .phoneNumberAlreadyExists
        default: return .credentialAlreadyInUse
        }
      }
    }
    if let number = record.phoneNumber, !others(.phone(number), snapshot).isEmpty {
      return .phoneNumberAlreadyExists
    }
    if let email = record.email, isTaken(email, snapshot) { return .emailAlreadyInUse }
    if !record.secondFactors.isEmpty, !record.emailVerified { return .unverifiedEmail }
    return record.recordRefusal
  }

  private func uidRefusal(_ snapshot: Snapshot) -> AuthError? {
    let found = snapshot.found[.uid(record.id)]?.first
    if let found, found != record.id {
      return AuthError(
        .uidAlreadyExists, "The account was merged into \(found).", field: "localId",
        remedy: "Undo the merge first if the record is right.", step: .decision)
    }
    guard found != nil, !overwriting else { return nil }
    return AuthError(
      .uidAlreadyExists, "The uid belongs to an account that exists.", field: "localId",
      remedy: "Allow overwriting, or leave the record out.", step: .decision)
  }

  private func isTaken(_ email: EmailAddress, _ snapshot: Snapshot) -> Bool {
    let sharing = others(.email(email), snapshot)
    let isOwned =
      snapshot.settings.oneAccountPerEmail && record.emailVerified
      && sharing.contains(where: \.emailVerified)
    return isOwned || (refusesSharedEmails && !sharing.isEmpty)
  }

  private func others(_ key: AccountKey, _ snapshot: Snapshot) -> [Account] {
    snapshot.accounts(key).filter { $0.id != record.id }
  }

  private static let tenantMismatch = AuthError(
    .tenantMismatch, "The record is of another tenant.", field: "tenantId",
    remedy: "Send it to its own tenant.", step: .decision)
}
