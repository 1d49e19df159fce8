public import AuthCore
public import Foundation

extension UserRecord {
  private static let keys = [
    "localId", "email", "emailVerified", "passwordHash", "salt", "displayName", "photoUrl",
    "createdAt", "lastSignedInAt", "phoneNumber", "disabled", "customAttributes",
    "providerUserInfo", "mfaInfo", "lastLoginAt", "validSince", "passwordUpdatedAt", "version",
    "lastRefreshAt",
  ]

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
    providerUserInfo = try fields.objects("providerUserInfo", known: ProviderEntry.keys)
      .map { entry throws(AuthError) in try ProviderEntry(entry) }
    mfaInfo = try fields.objects("mfaInfo", known: FactorEntry.keys)
      .map { entry throws(AuthError) in try FactorEntry(entry) }
  }

  /// The record as one line of JSON, keys in alphabetical order.
  public func json() -> Data {
    var members: [String: JSONValue] = ["localId": .string(localId)]
    members["email"] = email.map(JSONValue.string)
    members["emailVerified"] = emailVerified.map(JSONValue.bool)
    members["passwordHash"] = passwordHash.map(JSONValue.string)
    members["salt"] = salt.map(JSONValue.string)
    members["displayName"] = displayName.map(JSONValue.string)
    members["photoUrl"] = photoUrl.map(JSONValue.string)
    members["createdAt"] = createdAt.map { .string("\($0.milliseconds)") }
    members["lastSignedInAt"] = lastSignedInAt.map { .string("\($0.milliseconds)") }
    members["phoneNumber"] = phoneNumber.map(JSONValue.string)
    members["disabled"] = disabled.map(JSONValue.bool)
    members["customAttributes"] = customAttributes.map(JSONValue.string)
    members["providerUserInfo"] = .array(providerUserInfo.map(\.json))
    if !mfaInfo.isEmpty { members["mfaInfo"] = .array(mfaInfo.map(\.json)) }
    return Data(JSONValue.object(members).text.utf8)
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

  fileprivate var json: JSONValue {
    var members: [String: JSONValue] = ["providerId": .string(providerId)]
    members["rawId"] = rawId.map(JSONValue.string)
    members["email"] = email.map(JSONValue.string)
    members["displayName"] = displayName.map(JSONValue.string)
    members["photoUrl"] = photoUrl.map(JSONValue.string)
    members["phoneNumber"] = phoneNumber.map(JSONValue.string)
    members["screenName"] = screenName.map(JSONValue.string)
    members["issuer"] = issuer.map(JSONValue.string)
    return .object(members)
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

  fileprivate var json: JSONValue {
    var members: [String: JSONValue] = [:]
    members["mfaEnrollmentId"] = mfaEnrollmentId.map(JSONValue.string)
    members["displayName"] = displayName.map(JSONValue.string)
    members["phoneInfo"] = phoneInfo.map(JSONValue.string)
    members["enrolledAt"] = enrolledAt.map(JSONValue.string)
    members["totpInfo"] = totpInfo.map { _ in [:] }
    return .object(members)
  }
}
