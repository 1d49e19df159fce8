public import AuthCore

extension UserRecord {
  /// Makes the account that the record describes.
  ///
  /// If an entry repeats a password or a number, the record's own field counts. Earlier sessions end, as in Firebase.
  /// Throws a ``RecordFault``; faults are found in Firebase's order.
  public func account(at door: RecordDoor) throws(RecordFault) -> Account {
    let id: AccountID
    do throws(AuthError) { id = try AccountID(validating: localId) } catch {
      throw error.fault(.invalidUID)
    }
    try checkTenant(at: door)
    var account = Account(id: id, scope: door.scope, createdAt: createdAt ?? door.now)
    account.customClaims = try claims()
    account.displayName = displayName
    account.photoURL = photoUrl
    account.lastSignInAt = lastSignedInAt
    account.disabled = disabled ?? false
    account.validSince = door.now
    account.identities = try vendorIdentities(of: account, at: door)
    try addNumbers(to: &account, at: door)
    try addEmail(to: &account, at: door)
    try addDetails(to: &account)
    account.secondFactors = try secondFactors(of: account, at: door)
    account.isAnonymous =
      account.identities.isEmpty && account.email == nil && account.phoneNumber == nil
      && account.details.waitingPassword == nil
      && !account.details.usedCustomToken
    return account
  }

  /// Returns the names of the fields that the import ignores: those that accounts do not keep, and the tenant if it
  /// differs from the scope's.
  public func skipped(at door: RecordDoor) -> [String] {
    let isOther = tenantId.map { $0 != door.scope.tenant } ?? false
    return isOther ? skipped + ["tenantId"] : skipped
  }

  private func checkTenant(at door: RecordDoor) throws(RecordFault) {
    guard let tenantId, tenantId != door.scope.tenant else { return }
    guard door.takesRecordsOfTenants, door.scope.tenant == nil else {
      throw RecordFault(
        .otherTenant,
        AuthError(
          .tenantMismatch, "The record is of the tenant \(tenantId).", field: "tenantId",
          remedy: "Import it into that tenant, or leave tenantId out."))
    }
  }

  private func claims() throws(RecordFault) -> CustomClaims? {
    guard let customAttributes else { return nil }
    do throws(AuthError) { return try CustomClaims(text: customAttributes) } catch {
      switch error.code {
      case .claimsTooLarge: throw error.fault(.claimsTooLarge)
      case .reservedClaims: throw error.fault(.reservedClaims)
      default: throw error.fault(.invalidClaims)
      }
    }
  }

  private func addDetails(to account: inout Account) throws(RecordFault) {
    account.details.usedCustomToken = customAuth ?? false
    account.details.screenName = screenName
    account.details.language = language
    account.details.timeZone = timeZone
    account.details.dateOfBirth = dateOfBirth
    account.details.initialEmail = try initialEmail.map { text throws(RecordFault) in
      try Self.address(text, "initialEmail")
    }
  }

  private func addEmail(to account: inout Account, at door: RecordDoor) throws(RecordFault) {
    guard let email else {
      try addWaitingPassword(to: &account, at: door)
      return
    }
    let address = try Self.address(email, "email")
    account.email = address
    account.emailVerified = emailVerified ?? false
    if let stored = try storedPassword(at: door) {
      let entry = providerUserInfo.first {
        $0.providerId == ProviderID.password.rawValue
          && (try? EmailAddress($0.email ?? $0.rawId ?? ""))?.matches(address) == true
      }
      account.identities.append(
        Identity(
          key: .password(address), profile: entry?.profile ?? IdentityProfile(), origin: .imported,
          linkedAt: account.linkedAt(door),
          secret: StoredSecret(encoded: stored, changedAt: door.now)))
    }
    if passwordHash == nil, passwordElsewhere == true {
      account.identities.append(
        Identity(
          key: .password(address), profile: IdentityProfile(), origin: .imported,
          linkedAt: account.linkedAt(door)))
    }
    // A link proves control of the mailbox, so it is added only for a verified address.
    guard emailLinkSignin == true, account.emailVerified else { return }
    account.identities.append(
      Identity(
        key: .emailLink(address), profile: IdentityProfile(email: address.text),
        emailVerified: true, origin: .imported, linkedAt: account.linkedAt(door)))
  }

  private func storedPassword(at door: RecordDoor) throws(RecordFault) -> String? {
    guard let passwordHash else { return nil }
    return try door.passwords.stored(
      PasswordColumns.Columns(hash: passwordHash, salt: salt, parameters: hashParameters))
  }

  /// Keeps the password of a record without an address; it signs in once the account has one.
  private func addWaitingPassword(
    to account: inout Account, at door: RecordDoor
  ) throws(RecordFault) {
    account.details.waitingPassword = try storedPassword(at: door).map {
      StoredSecret(encoded: $0, changedAt: door.now)
    }
  }

  /// Reads an address of the record.
  private static func address(
    _ text: String, _ field: String
  ) throws(RecordFault) -> EmailAddress {
    do throws(AuthError) {
      let address = try EmailAddress(text)
      try address.checkSpecials()
      return address
    } catch {
      var error = error
      error.field = field
      throw error.fault(.invalidEmail)
    }
  }
}

extension Account {
  /// The time at which imported identities count as linked: the account's creation, but never a future time.
  func linkedAt(_ door: RecordDoor) -> Timestamp { min(createdAt, door.now) }
}
