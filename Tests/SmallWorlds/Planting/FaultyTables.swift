import AuthCore

/// Tables with one planted fault.
final class FaultyTables: WorldTables {
  private let fault: PlantedFault
  /// The accounts at the beginning of the transaction.
  private var before: [Account] = []

  init(_ fault: PlantedFault) {
    self.fault = fault
  }

  override func begin() { before = rows.accounts }

  override func insert(_ account: Account) throws {
    var account = account
    if fault == .forgottenAppUsers { account.details.usedCustomToken = false }
    try refuseAddress(of: account)
    guard fault == .secondOwners else { return try super.insert(account) }
    account.revision = 1
    rows.put(account)
  }

  override func update(_ account: Account, replacing old: Account) throws {
    var account = account
    switch fault {
    case .oldOwnersCodes: account.ownership = old.ownership
    case .endlessSessions: account.validSince = old.validSince
    case .oldOwnersWaysIn where account.ownership != old.ownership:
      account.keep(old.identities)
    case .unyieldingPasswords where account.ownership == old.ownership:
      account.keep(old.identities(of: .password))
    case .hiddenLinks where account.ownership == old.ownership:
      account.keep(old.identities(of: .emailLink))
    case .forgottenAppUsers: account.details.usedCustomToken = false
    default: break
    }
    try refuseAddress(of: account)
    try super.update(account, replacing: old)
  }

  private func refuseAddress(of account: Account) throws {
    guard fault == .unshownAddressesCount, account.emailVerified, let email = account.email,
      before.contains(where: { $0.id != account.id && email.matches($0.email) })
    else { return }
    throw UniqueKeyConflict(key: "e-mail \(email.canonical)")
  }

  override func setAlias(_ absorbed: AccountID, for survivor: AccountID?) {
    if survivor == nil && fault == .lastingAliases { return }
    super.setAlias(absorbed, for: survivor)
  }

  override func save(_ merge: MergeRecord) throws {
    try super.save(merge)
    guard var survivor = rows.account(merge.survivor) else { return }
    if fault == .absorbedPasswords {
      survivor.keep(merge.absorbedBefore.identities(of: .password))
    }
    if fault == .absorbedAddresses && survivor.email == nil {
      survivor.email = merge.absorbedBefore.email
    }
    rows.put(survivor)
  }

  override func account(owning key: IdentityKey) -> Account? {
    fault == .secondOwners ? nil : rows.account(owning: key).flatMap { account($0.id) }
  }

  override func account(_ id: AccountID) -> Account? {
    var account = super.account(id)
    if fault == .forgottenFactors { account?.secondFactors = [] }
    return account
  }
}

extension Account {
  /// Restores identities that the account lost.
  fileprivate mutating func keep(_ lost: [Identity]) {
    identities += lost.filter { identity($0.key) == nil }
  }
}
