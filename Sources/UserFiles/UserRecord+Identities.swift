import AuthCore

extension UserRecord {
  /// Makes the vendors' identities.
  ///
  /// Those of the password and the number come from the account's own fields.
  func vendorIdentities(
    of account: Account, at door: RecordDoor
  ) throws(RecordFault) -> [Identity] {
    var identities: [Identity] = []
    var keys: Set<IdentityKey> = []
    for entry in providerUserInfo where !entry.isOwn {
      let key = try entry.key(at: door)
      guard keys.insert(key).inserted else {
        throw RecordFault(
          .repeatedIdentity, "The record has the identity \(key) twice.",
          field: "providerUserInfo", remedy: "Keep it once.")
      }
      identities.append(
        Identity(
          key: key, profile: entry.profile, origin: .imported, linkedAt: account.linkedAt(door)))
    }
    return identities
  }

  /// Adds the account's number, and additional numbers that can sign in.
  ///
  /// If the record has no number of its own, the first entry's number becomes the account's.
  func addNumbers(to account: inout Account, at door: RecordDoor) throws(RecordFault) {
    let entries = providerUserInfo.filter(\.isPhone)
    let own = phoneNumber ?? entries.first { $0.isFurther != true }?.number
    for (number, isOwn) in [(own, true)]
      + entries.filter({ $0.isFurther == true }).map({ ($0.number, false) })
    {
      guard let text = number else { continue }
      let number: PhoneNumber
      do throws(AuthError) { number = try PhoneNumber(normalizing: text) } catch {
        throw error.fault(.invalidPhoneNumber)
      }
      guard account.identity(.phone(number)) == nil else { continue }
      if isOwn { account.phoneNumber = number }
      let entry = entries.first { $0.number == text }
      account.identities.append(
        Identity(
          key: .phone(number), profile: entry?.profile ?? IdentityProfile(), origin: .imported,
          linkedAt: account.linkedAt(door)))
    }
  }
}

extension UserRecord.ProviderEntry {
  var profile: IdentityProfile {
    IdentityProfile(
      email: email, displayName: displayName, photoURL: photoUrl,
      phoneNumber: isPhone ? nil : phoneNumber, screenName: screenName)
  }

  /// Tells whether the entry only repeats the account's password or number.
  var isOwn: Bool { isPhone || providerId == ProviderID.password.rawValue }

  var isPhone: Bool { providerId == ProviderID.phone.rawValue }

  var number: String? { phoneNumber ?? rawId ?? federatedId }

  func key(at door: RecordDoor) throws(RecordFault) -> IdentityKey {
    guard let providerId, rawId != nil || federatedId != nil else {
      throw RecordFault(
        .missingSubject, "The entry\(providerId.map { " of \($0)" } ?? "") has no rawId.",
        field: "providerUserInfo", remedy: "Give the subject that the provider knows the person by."
      )
    }
    let provider = ProviderID(providerId)
    let subject = try subject(of: provider, at: door)
    if let registered = door.registered {
      do throws(AuthError) {
        try KnownProviders.check(provider, registered: registered)
      } catch {
        throw error.fault(.unknownProvider)
      }
    }
    return IdentityKey(provider, issuer: issuer ?? "", subject: subject)
  }

  private func subject(
    of provider: ProviderID, at door: RecordDoor
  ) throws(RecordFault) -> String {
    if let rawId { return rawId }
    if let federatedId, let subject = door.subject(federatedId, provider) { return subject }
    throw RecordFault(
      .unreadFederatedID, "The federatedId is no address of \(provider) with a subject behind it.",
      field: "providerUserInfo", remedy: "Give the subject as rawId.")
  }
}
