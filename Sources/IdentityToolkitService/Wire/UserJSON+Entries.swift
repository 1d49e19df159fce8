import AuthCore

/// One entry of a record's `providerUserInfo`.
enum ProviderEntry {
  case password(String, of: Account)
  case phone(PhoneNumber)
  case vendor(Identity)
}

extension Account {
  /// The entries of `providerUserInfo`, in the order in which the identities were linked.
  var providerEntries: [ProviderEntry] {
    var entries: [ProviderEntry] = []
    var hasPassword = false
    for identity in identities {
      switch identity.provider {
      case .password, .emailLink:
        guard !hasPassword, let address = passwordAddress else { continue }
        hasPassword = true
        entries.append(.password(address, of: self))
      case .phone:
        guard let number = phoneNumber, identity.key == .phone(number) else { continue }
        entries.append(.phone(number))
      case .anonymous, .custom, .passkey: continue
      default: entries.append(.vendor(identity))
      }
    }
    return entries
  }
}

extension ProviderEntry {
  /// Writes the entry's members.
  ///
  /// `federatedId` repeats the subject: JavaScript's client reads `rawId`, Apple's `federatedId`.
  func writeMembers(to writer: inout JSONWriter, repeatingSubjects: Bool = true) {
    switch self {
    case .password(let address, let account):
      writer.member("displayName", account.displayName)
      writer.member("email", address)
      writer.member("federatedId", address)
      writer.member("photoUrl", account.photoURL)
      writer.member("providerId", "password")
      writer.member("rawId", address)
    case .phone(let number):
      writer.member("phoneNumber", number.text)
      writer.member("providerId", "phone")
      writer.member("rawId", number.text)
    case .vendor(let identity):
      let profile = identity.profile
      writer.member("displayName", profile.displayName)
      writer.member("email", profile.email)
      let isWord = identity.origin == .assertion && identity.lastSignInAt == nil
      writer.member("federatedId", repeatingSubjects || !isWord ? identity.key.subject : nil)
      writer.member("phoneNumber", profile.phoneNumber)
      writer.member("photoUrl", profile.photoURL)
      writer.member("providerId", identity.provider.rawValue)
      writer.member("rawId", identity.key.subject)
      writer.member("screenName", profile.screenName)
    }
  }
}

extension Identity {
  /// Writes the members of an entry of `passkeyInfo`.
  func writePasskey(to writer: inout JSONWriter) {
    writer.member("credentialId", key.subject)
    writer.member("name", profile.displayName)
  }
}

extension SecondFactor {
  /// Writes the members of an entry of `mfaInfo`.
  func writeEnrollment(to writer: inout JSONWriter, repeatsNumber: Bool) {
    writer.member("displayName", displayName)
    writer.member("enrolledAt", enrolledAt.map(EnrollmentTime.wireText))
    writer.member("mfaEnrollmentId", id)
    switch kind {
    case .phone(let number):
      writer.member("phoneInfo", number.text)
      if repeatsNumber { writer.member("unobfuscatedPhoneInfo", number.text) }
    case .totp: writer.member("totpInfo", .object([:]))
    }
  }
}
