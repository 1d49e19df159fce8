public import AuthCore
public import Foundation

extension UserRecord {
  private static let names = RecordFields.Names(
    taken: [
      "localId", "email", "emailVerified", "passwordHash", "salt", "hashParameters", "rawPassword",
      "displayName", "photoUrl", "createdAt", "lastSignedInAt", "lastLoginAt", "phoneNumber",
      "disabled", "customAttributes", "tenantId", "customAuth", "emailLinkSignin", "initialEmail",
      "screenName", "language", "timeZone", "dateOfBirth", "providerUserInfo", "mfaInfo",
      "hasFactorsWithoutEmail", "passwordElsewhere",
    ],
    skipped: [
      "validSince", "passwordUpdatedAt", "version", "lastRefreshAt", "kind", "passkeyInfo",
    ])

  /// Reads one record of a file; throws an ``AuthError`` that names the field.
  public init(_ slice: UserFileReader.Slice) throws(AuthError) {
    if let fault = slice.fault { throw fault }
    guard !slice.isTooLong else {
      throw .malformed("", "has more than \(UserFileReader.maximumRecordBytes) bytes")
    }
    try self.init(json: slice.json)
  }

  /// Reads one record of a file from JSON; throws an ``AuthError`` that names the field.
  public init(json: Data) throws(AuthError) {
    // Duplicate names are refused, because another reader might take the other value.
    guard let value = try? JSONValue(strict: Array(json)) else {
      throw .malformed("", "is not valid JSON with each name once")
    }
    try self.init(value, as: .file)
  }

  /// Reads one account of a request; throws a ``RecordFault``.
  public init(request: JSONValue) throws(RecordFault) {
    do throws(AuthError) { try self.init(request, as: .request) } catch {
      throw error.fault(error.code == .invalidUID ? .missingUID : .malformed)
    }
    // The request states the hash's parameters once for all accounts.
    hashParameters = nil
  }

  private init(_ value: JSONValue, as form: RecordFields.Form) throws(AuthError) {
    let fields = try RecordFields(value, at: [], as: form, known: Self.names)
    guard let localId = try fields.text("localId") else {
      throw AuthError(
        .invalidUID, "The record has no localId.", field: "localId",
        remedy: "Give every record the user's uid.")
    }
    try self.init(fields, localId)
  }

  private init(_ fields: RecordFields, _ localId: String) throws(AuthError) {
    self.localId = localId
    email = try fields.text("email")
    emailVerified = try fields.flag("emailVerified")
    passwordHash = try fields.text("passwordHash")
    salt = try fields.text("salt")
    hashParameters = fields.value("hashParameters")
    rawPassword = try fields.text("rawPassword")
    displayName = try fields.text("displayName")
    photoUrl = try fields.text("photoUrl")
    createdAt = try fields.milliseconds("createdAt")
    lastSignedInAt =
      if let time = try fields.milliseconds("lastSignedInAt") {
        time
      } else {
        try fields.milliseconds("lastLoginAt")
      }
    phoneNumber = try fields.text("phoneNumber")
    disabled = try fields.flag("disabled")
    customAttributes = try fields.text("customAttributes")
    tenantId = try fields.text("tenantId")
    customAuth = try fields.flag("customAuth")
    emailLinkSignin = try fields.flag("emailLinkSignin")
    initialEmail = try fields.text("initialEmail")
    screenName = try fields.text("screenName")
    language = try fields.text("language")
    timeZone = try fields.text("timeZone")
    dateOfBirth = try fields.text("dateOfBirth")
    providerUserInfo = try fields.objects(
      "providerUserInfo", atMost: Account.maximumIdentities, known: ProviderEntry.names
    ).map { entry throws(AuthError) in try ProviderEntry(entry) }
    mfaInfo = try fields.objects(
      "mfaInfo", atMost: AccountGraph.maximumSecondFactors, known: FactorEntry.names
    ).map { entry throws(AuthError) in try FactorEntry(entry) }
    hasFactorsWithoutEmail = fields.form == .file ? try fields.flag("hasFactorsWithoutEmail") : nil
    passwordElsewhere = fields.form == .file ? try fields.flag("passwordElsewhere") : nil
    skipped = fields.skipped
  }
}

extension UserRecord: JSONRecord {
  package func writeMembers(_ writer: inout JSONWriter) {
    writer.member("createdAt", quoting: createdAt?.milliseconds)
    writer.member("customAttributes", customAttributes)
    writer.member("customAuth", customAuth)
    writer.member("dateOfBirth", dateOfBirth)
    writer.member("disabled", disabled)
    writer.member("displayName", displayName)
    writer.member("email", email)
    writer.member("emailLinkSignin", emailLinkSignin)
    writer.member("emailVerified", emailVerified)
    writer.member("hasFactorsWithoutEmail", hasFactorsWithoutEmail)
    writer.member("hashParameters", hashParameters)
    writer.member("initialEmail", initialEmail)
    writer.member("language", language)
    writer.member("lastSignedInAt", quoting: lastSignedInAt?.milliseconds)
    writer.member("localId", localId)
    if !mfaInfo.isEmpty { writer.member("mfaInfo", mfaInfo) }
    writer.member("passwordElsewhere", passwordElsewhere)
    writer.member("passwordHash", passwordHash)
    writer.member("phoneNumber", phoneNumber)
    writer.member("photoUrl", photoUrl)
    writer.member("providerUserInfo", providerUserInfo)
    writer.member("salt", salt)
    writer.member("screenName", screenName)
    writer.member("timeZone", timeZone)
  }
}

extension UserRecord.ProviderEntry {
  fileprivate static let names = RecordFields.Names(taken: [
    "providerId", "rawId", "email", "displayName", "photoUrl", "phoneNumber", "federatedId",
    "screenName", "issuer", "isFurther",
  ])

  fileprivate init(_ fields: RecordFields) throws(AuthError) {
    providerId = try fields.text("providerId")
    rawId = try fields.text("rawId")
    email = try fields.text("email")
    displayName = try fields.text("displayName")
    photoUrl = try fields.text("photoUrl")
    phoneNumber = try fields.text("phoneNumber")
    federatedId = try fields.text("federatedId")
    screenName = try fields.text("screenName")
    issuer = try fields.text("issuer")
    isFurther = try fields.flag("isFurther")
    providerId = providerId ?? federatedId.flatMap(FederatedID.provider)
    guard providerId != nil || fields.form == .request else {
      throw .malformed(fields.path(of: "providerId"), "is missing")
    }
  }
}

extension UserRecord.ProviderEntry: JSONRecord {
  package func writeMembers(_ writer: inout JSONWriter) {
    writer.member("displayName", displayName)
    writer.member("email", email)
    writer.member("isFurther", isFurther)
    writer.member("issuer", issuer)
    writer.member("phoneNumber", phoneNumber)
    writer.member("photoUrl", photoUrl)
    writer.member("providerId", providerId)
    writer.member("rawId", rawId)
    writer.member("screenName", screenName)
  }
}

extension UserRecord.FactorEntry {
  fileprivate static let names = RecordFields.Names(taken: [
    "mfaEnrollmentId", "displayName", "phoneInfo", "enrolledAt", "totpInfo",
    "unobfuscatedPhoneInfo",
  ])

  fileprivate init(_ fields: RecordFields) throws(AuthError) {
    mfaEnrollmentId = try fields.text("mfaEnrollmentId")
    displayName = try fields.text("displayName")
    phoneInfo = try fields.text("phoneInfo")
    enrolledAt = try fields.text("enrolledAt")
    if let info = try fields.object(
      "totpInfo", known: RecordFields.Names(taken: ["sharedSecretKey"]))
    {
      totpInfo = TOTPInfo(sharedSecretKey: try info.text("sharedSecretKey"))
    }
  }
}

extension UserRecord.FactorEntry: JSONRecord {
  package func writeMembers(_ writer: inout JSONWriter) {
    writer.member("displayName", displayName)
    writer.member("enrolledAt", enrolledAt)
    writer.member("mfaEnrollmentId", mfaEnrollmentId)
    writer.member("phoneInfo", phoneInfo)
    guard let totpInfo else { return }
    let secret = totpInfo.sharedSecretKey.map { ["sharedSecretKey": JSONValue.string($0)] }
    writer.member("totpInfo", .object(secret ?? [:]))
  }
}
