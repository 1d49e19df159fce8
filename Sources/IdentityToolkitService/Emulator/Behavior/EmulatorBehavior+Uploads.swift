import AuthCore
import BuiltInProviders
import IdentityToolkit
import UserFiles

extension EmulatorBehavior {
  var overwritesAccounts: Bool { false }
  var listsNoErrors: Bool { true }
  var refusesSharedEmails: Bool { true }

  /// Keeps hashes as they are.
  func hashes(of body: WireFields) throws(WireError) -> UploadedHashes {
    UploadedHashes(
      PasswordColumns(
        stored: { columns throws(RecordFault) in Self.stored(columns.hash, salt: columns.salt) },
        columns: { PasswordColumns.Columns(hash: $0) }))
  }

  /// Keeps a hash of the emulator's own form usable.
  ///
  /// Any other hash can be exported again, but signs no account in.
  private static func stored(_ hash: String, salt: String?) -> String {
    guard EmulatedHash(hash) == nil,
      let kept = try? ImportedPasswordHash(
        parameterSetID: "0000000000000000", salt: salt ?? "", hash: hash)
    else { return hash }
    return kept.encoded
  }

  func hash(of password: String, _ providers: ProviderRegistry) async throws -> String? {
    EmulatedHash(choosing: password).text
  }

  /// Accepts every provider, and reads no `federatedId`.
  func door(_ hashes: UploadedHashes, _ call: Call) -> RecordDoor {
    var door = RecordDoor(
      scope: call.scope, passwords: hashes.columns, registered: nil, at: call.services.clock())
    door.subject = { _, _ in nil }
    return door
  }

  /// Leaves out what the emulator does not read, and keeps the last of several identities of one provider.
  func read(_ record: UserRecord) -> UserRecord {
    var record = record
    record.email = record.email?.lowercased()
    record.emailLinkSignin = nil
    for index in record.mfaInfo.indices { record.mfaInfo[index].totpInfo = nil }
    var seen: Set<String> = []
    record.providerUserInfo = record.providerUserInfo.reversed().compactMap { entry in
      guard let provider = entry.providerId else { return unread(entry) }
      if provider == ProviderID.phone.rawValue { return nil }
      if provider == ProviderID.password.rawValue { return entry }
      let isFirst = seen.insert(provider).inserted
      // A faulty entry stays, so that its fault is reported.
      return isFirst || entry.rawId == nil ? entry : nil
    }.reversed()
    return record
  }

  /// Leaves an entry with a `federatedId` alone to the fault that names it.
  private func unread(_ entry: UserRecord.ProviderEntry) -> UserRecord.ProviderEntry {
    guard entry.federatedId != nil else { return entry }
    var entry = entry
    (entry.providerId, entry.rawId) = ("", nil)
    return entry
  }

  func refusal(_ fault: RecordFault) -> UploadFault {
    guard fault.kind == .unreadFederatedID else { return UploadFault(fault) }
    return UploadFault(
      "((Parsing federatedId is not implemented in Auth Emulator; please specify "
        + "providerId AND rawId as a workaround.))")
  }

  func refusal(ofSharedEmail email: EmailAddress?, asked: Bool) -> UploadFault {
    asked
      ? ProductionBehavior().refusal(ofSharedEmail: email, asked: asked)
      : UploadFault(
        "((Auth Emulator does not support importing duplicate email: \(email?.text ?? "")))")
  }
}
