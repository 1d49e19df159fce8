import AuthCore
import BuiltInProviders
import UserFiles

/// A record that Firebase's `auth:import` accepts; it stops at the first fault of a file.
///
/// The rules are those of firebase-tools' `validateUserJson`: the fields of a record and an entry, the providers of an
/// entry, and hashes in base64. All hashes of a file are of one kind.
struct FirebaseRecord {
  private static let providers: Set<String> = [
    "google.com", "facebook.com", "twitter.com", "github.com", "apple.com", "microsoft.com",
    "gc.apple.com", "playgames.google.com", "linkedin.com", "yahoo.com",
  ]

  /// The record in the form that Firebase accepts.
  private(set) var record: UserRecord
  private(set) var losses: ExportLosses

  /// Makes the record of an account, with its hash if that is of the export's kind.
  init(
    _ full: UserRecord, of account: Account, in contents: ExportContents, losses: ExportLosses
  ) {
    record = full
    self.losses = losses
    keepHash(of: account, contents)
    leaveFields()
    record.providerUserInfo = account.identities.compactMap { entry(of: $0, account) }
    leaveSecondLinks()
    record.mfaInfo = record.mfaInfo.filter { keep($0) }
  }

  private mutating func keepHash(of account: Account, _ contents: ExportContents) {
    (record.passwordHash, record.salt, record.hashParameters) = (nil, nil, nil)
    record.passwordElsewhere = nil
    let used = account.storedPassword?.encoded
    let others = account.identities.filter { $0.key != account.passwordIdentity?.key }
    for stored in [used].compactMap(\.self) + others.compactMap(\.secret?.encoded) {
      let imported = ImportedPasswordHash(parsing: stored)
      guard let imported, let chosen = contents.hashes, imported.parameterSetID == chosen.id,
        stored == used,
        let columns = imported.firebaseColumns(chosen)
      else {
        let kind = imported.map { contents.known[$0.parameterSetID]?.description ?? "unknown" }
        losses.note(.hashes, kind ?? "Argon2id of AuthGraph")
        continue
      }
      (record.passwordHash, record.salt) = (columns.hash, columns.salt)
    }
  }

  private mutating func leaveFields() {
    func leave(_ name: String, _ isThere: Bool) { if isThere { losses.note(.keys, name) } }
    leave("initialEmail", record.initialEmail != nil)
    leave("screenName", record.screenName != nil)
    leave("language", record.language != nil)
    leave("timeZone", record.timeZone != nil)
    leave("dateOfBirth", record.dateOfBirth != nil)
    (record.initialEmail, record.screenName, record.language) = (nil, nil, nil)
    (record.timeZone, record.dateOfBirth) = (nil, nil)
    // Firebase needs neither: a uid signs in by its custom token, and a verified address by a link.
    (record.customAuth, record.emailLinkSignin) = (nil, nil)
    record.hasFactorsWithoutEmail = nil
  }

  /// Makes the entry of an identity; nil if Firebase has none.
  ///
  /// That is a loss unless the account's own fields repeat it.
  private mutating func entry(
    of identity: Identity, _ account: Account
  ) -> UserRecord.ProviderEntry? {
    switch identity.provider {
    case .password, .emailLink: return nil
    case .phone where identity.key == account.phoneNumber.map(IdentityKey.phone): return nil
    case let provider where !Self.providers.contains(provider.rawValue):
      losses.note(.links, provider.rawValue)
      return nil
    default: break
    }
    let profile = identity.profile
    if profile.screenName != nil { losses.note(.keys, "providerUserInfo.screenName") }
    if profile.phoneNumber != nil { losses.note(.keys, "providerUserInfo.phoneNumber") }
    var entry = UserRecord.ProviderEntry()
    entry.providerId = identity.provider.rawValue
    entry.rawId = identity.firebaseSubject
    entry.email = profile.email
    entry.displayName = profile.displayName
    entry.photoUrl = profile.photoURL
    return entry
  }

  /// Keeps one link of each provider, which is all that Firebase can hold.
  private mutating func leaveSecondLinks() {
    var seen: Set<String> = []
    record.providerUserInfo.removeAll { entry in
      guard let id = entry.providerId, !seen.insert(id).inserted else { return false }
      losses.note(.links, id)
      return true
    }
  }

  private mutating func keep(_ factor: UserRecord.FactorEntry) -> Bool {
    // Firebase refuses a factor without a verified address, and cannot hold an app's secret.
    if factor.phoneInfo != nil && record.emailVerified == true { return true }
    losses.note(.factors, factor.phoneInfo == nil ? "authenticator app" : "phone without e-mail")
    return false
  }
}

extension Identity {
  /// The subject by which Firebase identifies the person: for Microsoft the object ID without the tenant.
  fileprivate var firebaseSubject: String {
    guard provider.rawValue == "microsoft.com" else { return key.subject }
    if let old = predecessors.first(where: { $0.identity.provider == provider }) {
      return old.identity.key.subject
    }
    return key.subject.split(separator: ".", maxSplits: 1).last.map(String.init) ?? key.subject
  }
}
