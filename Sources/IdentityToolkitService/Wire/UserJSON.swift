import AuthCore

/// An account as Firebase's user record (`UserInfo`); absent values are left out.
///
/// 64-bit integers are text, except `passwordUpdatedAt`. A record is written directly as text, because answers can hold
/// many.
struct UserJSON {
  let account: Account
  /// True if the record shows the password's hash, and not a mask.
  let showsHash: Bool
  /// True if a second factor's number appears in it twice.
  var repeatsNumbers = false
  /// True if an account without second factors shows an empty list of them.
  var showsNoFactors = false
  /// False to leave `federatedId` out of an identity that was asserted and has not signed in.
  var repeatsSubjects = true

  /// The record as a value, for callers that use a part of it.
  var value: JSONValue { get throws { try JSONValue(text: json) } }
}

extension UserJSON: JSONRecord {
  func writeMembers(_ writer: inout JSONWriter) {
    let (account, details) = (account, account.details)
    let password = account.shownPassword?.secret ?? account.storedPassword
    let stored = password.map(shown)
    writer.member("createdAt", quoting: account.createdAt.milliseconds)
    writer.member("customAttributes", account.customClaims?.text)
    writer.member("customAuth", details.usedCustomToken ? true : nil)
    writer.member("dateOfBirth", details.dateOfBirth)
    writer.member("disabled", account.disabled ? true : nil)
    writer.member("displayName", account.displayName)
    writer.member("email", account.email?.text)
    writer.member("emailLinkSignin", account.usesEmailLink ? true : nil)
    let mayBeVerified = account.email != nil || !account.isAnonymous || account.emailVerified
    writer.member("emailVerified", mayBeVerified ? account.emailVerified : nil)
    writer.member("initialEmail", details.initialEmail?.text)
    writer.member("language", details.language)
    writer.member("lastLoginAt", quoting: account.lastSignInAt?.milliseconds)
    writer.member("lastRefreshAt", details.lastRefreshAt?.wireText)
    writer.member("localId", account.id.rawValue)
    let factors = account.secondFactors
    if !factors.isEmpty || showsNoFactors {
      writer.member("mfaInfo", count: factors.count) {
        factors[$1].writeEnrollment(to: &$0, repeatsNumber: repeatsNumbers)
      }
    }
    let passkeys = account.identities(of: .passkey)
    if !passkeys.isEmpty {
      writer.member("passkeyInfo", count: passkeys.count) { passkeys[$1].writePasskey(to: &$0) }
    }
    writer.member("passwordHash", stored?.hash)
    writer.member("passwordUpdatedAt", password?.changedAt.milliseconds)
    writer.member("phoneNumber", account.phoneNumber?.text)
    writer.member("photoUrl", account.photoURL)
    let entries = account.providerEntries
    if !entries.isEmpty {
      writer.member("providerUserInfo", count: entries.count) {
        entries[$1].writeMembers(to: &$0, repeatingSubjects: repeatsSubjects)
      }
    }
    writer.member("salt", stored?.salt)
    writer.member("screenName", details.screenName)
    writer.member("tenantId", account.scope.tenant)
    writer.member("timeZone", details.timeZone)
    writer.member("validSince", quoting: account.validSince.map { $0.milliseconds / 1000 })
  }

  private func shown(_ secret: StoredSecret) -> (hash: String, salt: String?) {
    // Apple's client treats an account with an empty hash as one without a password.
    guard showsHash else { return (StoredPassword.redacted, nil) }
    let stored = StoredPassword(secret.encoded)
    return (stored.hash, stored.salt)
  }
}

extension Account {
  /// The password of the account's own address, or else one that a merge brought with another address.
  var shownPassword: Identity? {
    passwordIdentity?.secret != nil
      ? passwordIdentity : identities(of: .password).first { $0.secret != nil }
  }

  /// The address of a password or a sign-in link: the account's own, or else that of a password from a merge.
  var passwordAddress: String? {
    if let email, passwordIdentity?.secret != nil || usesEmailLink { return email.text }
    return shownPassword.map { $0.profile.email ?? $0.key.subject }
  }

  /// True if links to the account's own address sign in.
  var usesEmailLink: Bool {
    email.map { identity(.emailLink($0)) != nil } ?? false
  }
}

extension Timestamp {
  /// RFC 3339 text that always has milliseconds, the only form that Apple's client reads.
  var wireText: String { text(withMilliseconds: true) }
}

extension [String: JSONValue] {
  /// Sets a member unless the text is nil.
  mutating func put(_ name: String, _ text: String?) {
    if let text { self[name] = .string(text) }
  }
}
