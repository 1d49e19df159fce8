public import AuthCore
public import Foundation

extension UserRecord {
  private static let keys = [
    "localId", "email", "emailVerified", "passwordHash", "salt", "displayName", "photoUrl",
    "createdAt", "lastSignedInAt", "phoneNumber", "disabled", "customAttributes",
    "providerUserInfo", "mfaInfo", "lastLoginAt", "validSince", "passwordUpdatedAt", "version",
    "lastRefreshAt",
  ]

  /// Reads one record of a file; throws an ``AuthError`` that names the field.
  public init(_ slice: UserFileReader.Slice) throws(AuthError) {
    guard !slice.isTooLong else {
      throw .malformed("", "has more than \(UserFileReader.maximumRecordBytes) bytes")
    }
    try self.init(json: slice.json)
  }

  /// Reads one record from JSON; throws an ``AuthError`` that names the field.
  public init(json: Data) throws(AuthError) {
    // Which of two names would count, another reader might see otherwise.
    guard let value = try? JSONValue(strict: Array(json)) else {
      throw .malformed("", "is not valid JSON with each name once")
    }
    let fields = try RecordFields(value, at: [], known: Self.keys)
    guard let localId = try fields.text("localId") else {
      throw AuthError(
        .invalidUID, "The record has no localId.", field: "localId",
        remedy: "Give every record the user's uid.")
    }
    self.localId = localId
    email = try fields.text("email")
    emailVerified = try fields.flag("emailVerified")
    passwordHash = try fields.text("passwordHash")
    salt = try fields.text("salt")
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
    providerUserInfo = try fields.objects(
      "providerUserInfo", atMost: Account.maximumIdentities, known: ProviderEntry.keys
    ).map { entry throws(AuthError) in try ProviderEntry(entry) }
    mfaInfo = try fields.objects(
      "mfaInfo", atMost: AccountGraph.maximumSecondFactors, known: FactorEntry.keys
    ).map { entry throws(AuthError) in try FactorEntry(entry) }
  }
}

extension UserRecord: JSONRecord {
  package func writeMembers(_ writer: inout JSONWriter) {
    writer.member("createdAt", quoting: createdAt?.milliseconds)
    writer.member("customAttributes", customAttributes)
    writer.member("disabled", disabled)
    writer.member("displayName", displayName)
    writer.member("email", email)
    writer.member("emailVerified", emailVerified)
    writer.member("lastSignedInAt", quoting: lastSignedInAt?.milliseconds)
    writer.member("localId", localId)
    if !mfaInfo.isEmpty { writer.member("mfaInfo", mfaInfo) }
    writer.member("passwordHash", passwordHash)
    writer.member("phoneNumber", phoneNumber)
    writer.member("photoUrl", photoUrl)
    writer.member("providerUserInfo", providerUserInfo)
    writer.member("salt", salt)
  }
}

extension UserRecord.ProviderEntry {
  fileprivate static let keys = [
    "providerId", "rawId", "email", "displayName", "photoUrl", "phoneNumber", "federatedId",
    "screenName", "issuer",
  ]

  fileprivate init(_ fields: RecordFields) throws(AuthError) {
    guard let providerId = try fields.text("providerId") else {
      throw .malformed(fields.path(of: "providerId"), "is missing")
    }
    self.providerId = providerId
    rawId = try fields.text("rawId")
    email = try fields.text("email")
    displayName = try fields.text("displayName")
    photoUrl = try fields.text("photoUrl")
    phoneNumber = try fields.text("phoneNumber")
    federatedId = try fields.text("federatedId")
    screenName = try fields.text("screenName")
    issuer = try fields.text("issuer")
  }
}

extension UserRecord.ProviderEntry: JSONRecord {
  package func writeMembers(_ writer: inout JSONWriter) {
    writer.member("displayName", displayName)
    writer.member("email", email)
    writer.member("issuer", issuer)
    writer.member("phoneNumber", phoneNumber)
    writer.member("photoUrl", photoUrl)
    writer.member("providerId", providerId)
    writer.member("rawId", rawId)
    writer.member("screenName", screenName)
  }
}

extension UserRecord.FactorEntry {
  fileprivate static let keys = [
    "mfaEnrollmentId", "displayName", "phoneInfo", "enrolledAt", "totpInfo",
    "unobfuscatedPhoneInfo",
  ]

  fileprivate init(_ fields: RecordFields) throws(AuthError) {
    mfaEnrollmentId = try fields.text("mfaEnrollmentId")
    displayName = try fields.text("displayName")
    phoneInfo = try fields.text("phoneInfo")
    enrolledAt = try fields.text("enrolledAt")
    totpInfo = fields.has("totpInfo") ? TOTPInfo() : nil
  }
}

extension UserRecord.FactorEntry: JSONRecord {
  package func writeMembers(_ writer: inout JSONWriter) {
    writer.member("displayName", displayName)
    writer.member("enrolledAt", enrolledAt)
    writer.member("mfaEnrollmentId", mfaEnrollmentId)
    writer.member("phoneInfo", phoneInfo)
    if totpInfo != nil { writer.member("totpInfo", .object([:])) }
  }
}
