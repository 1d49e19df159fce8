/// The proof of an address that an account takes.
enum AddressProof: Hashable, Sendable {
  /// No proof, or an admin's word.
  case none
  /// The mailbox was read: accounts that never verified the address lose it.
  case mailbox
}

/// Checks that an address or a number is free for an account.
extension Snapshot {
  /// Returns the refusal if another account has the wanted address or number.
  func taken(
    _ email: EmailAddress?, _ number: PhoneNumber?, by account: Account?, _ changes: ProfileChanges,
    proof: AddressProof = .none
  ) -> AuthError? {
    if let email, !email.matches(account?.email), isHeld(email, except: account, proof) {
      return .emailAlreadyInUse
    }
    if let refusal = takenPassword(email ?? account?.email, of: account, changes) {
      return refusal
    }
    if isSignedInWithByLink(email ?? account?.email, besides: account, changes) {
      return .emailAlreadyInUse
    }
    if changes.emailVerified == true, let address = email ?? account?.email,
      isHeld(address, except: account, .mailbox)
    {
      return .emailAlreadyInUse
    }
    if let number, isTaken(.phone(number), account) || isTaken(.identity(.phone(number)), account) {
      return .phoneNumberAlreadyExists
    }
    return nil
  }

  private func isHeld(
    _ email: EmailAddress, except account: Account?, _ proof: AddressProof
  ) -> Bool {
    !owners(of: email, beside: [account?.id].compactMap(\.self), shown: proof).isEmpty
  }

  /// Returns the other accounts whose claim to an address stands against this proof; none if accounts may share one.
  ///
  /// Only an account that verified the address stands against a proven mailbox.
  func owners(
    of email: EmailAddress, beside ids: [AccountID], shown proof: AddressProof
  ) -> [Account] {
    guard settings.oneAccountPerEmail else { return [] }
    return accounts(.email(email)).filter {
      !ids.contains($0.id) && ($0.emailVerified || proof == .none)
    }
  }

  private func isTaken(_ key: AccountKey, _ account: Account?) -> Bool {
    accounts(key).contains { $0.id != account?.id }
  }

  /// Tells whether another account signs in by links with the address for which this one gets a password.
  ///
  /// Links have proven the mailbox, and one account signs in with an address in both ways, as in
  /// ``RuleEvaluation/link(_:to:)``.
  private func isSignedInWithByLink(
    _ email: EmailAddress?, besides account: Account?, _ changes: ProfileChanges
  ) -> Bool {
    guard let email else { return false }
    let hasPassword =
      account?.passwordIdentity != nil || account?.details.waitingPassword != nil
    let movesPassword = !email.matches(account?.email) && hasPassword
    guard changes.password != nil || movesPassword else { return false }
    return isTaken(.identity(.emailLink(email)), account)
  }

  /// Returns the refusal if another account has a password for the wanted address that does not yield.
  private func takenPassword(
    _ email: EmailAddress?, of account: Account?, _ changes: ProfileChanges
  ) -> AuthError? {
    guard let email, let holder = passwordHolder(of: email, except: account?.id) else { return nil }
    let isNew = !email.matches(account?.email)
    guard isNew || changes.password != nil else { return nil }
    let isProven = changes.emailVerified ?? (!isNew && account?.emailVerified == true)
    return isProven && yieldsPassword(of: email, holder) ? nil : .emailAlreadyInUse
  }
}

extension EmailAddress {
  /// All keys by which an account may have the address.
  var ownershipKeys: [AccountKey] {
    [.email(self), .identity(.password(self)), .identity(.emailLink(self))]
  }
}
