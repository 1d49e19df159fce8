import AuthCore

/// The user that an importer's function returned, on the way to a record of `auth:export`.
///
/// Its fields are those of accounts in Lua. Unknown fields and wrong types are refused by name.
struct ImportedUser {
  private let user: ImportedFields

  static let names = [
    "uid", "email", "emailVerified", "displayName", "photoURL", "phoneNumber", "disabled",
    "createdAt", "lastSignInAt", "customClaims", "passwordHash", "passwordElsewhere", "identities",
    "secondFactors", "screenName", "language", "timeZone", "dateOfBirth", "emailLinkSignin",
  ]
  private static let identityNames = [
    "provider", "subject", "issuer", "email", "displayName", "photoURL", "screenName",
  ]
  private static let factorNames = ["id", "displayName", "totpSecret", "phoneNumber", "enrolledAt"]

  init(_ user: [String: JSONValue]) throws(AuthError) {
    self.user = try ImportedFields(user, "user", among: Self.names)
  }

  func record(_ providers: inout ImportedProviders) throws(AuthError) -> JSONValue {
    guard let uid = try user.name("uid") else {
      throw .refusedRow(
        "The row has no uid.", field: "uid", remedy: "Give every user the uid of the old system.")
    }
    var record: [String: JSONValue] = ["localId": .string(uid)]
    let texts = [
      ("email", "email"), ("displayName", "displayName"), ("photoURL", "photoUrl"),
      ("phoneNumber", "phoneNumber"), ("screenName", "screenName"), ("language", "language"),
      ("timeZone", "timeZone"), ("dateOfBirth", "dateOfBirth"),
    ]
    for (name, target) in texts { record[target] = try user.text(name).map(JSONValue.string) }
    for name in ["emailVerified", "disabled", "passwordElsewhere", "emailLinkSignin"] {
      record[name] = try user.flag(name).map(JSONValue.bool)
    }
    record["createdAt"] = try user.time("createdAt").map(JSONValue.integer)
    record["lastSignedInAt"] = try user.time("lastSignInAt").map(JSONValue.integer)
    record["customAttributes"] = try user.object("customClaims").map { .string($0.text) }
    if let hash = user["passwordHash"] {
      record.merge(try ImportedHash(hash).columns) { $1 }
    }
    var identities: [JSONValue] = []
    for entry in try user.list("identities", among: Self.identityNames) {
      guard let identity = try Self.identity(entry, &providers) else { continue }
      identities.append(identity)
    }
    record["providerUserInfo"] = .array(identities)
    var factors: [JSONValue] = []
    for entry in try user.list("secondFactors", among: Self.factorNames) {
      factors.append(try Self.factor(entry))
    }
    if !factors.isEmpty { record["mfaInfo"] = .array(factors) }
    return .object(record)
  }

  private static func identity(
    _ entry: ImportedFields, _ providers: inout ImportedProviders
  ) throws(AuthError) -> JSONValue? {
    guard let name = try entry.text("provider") else { throw entry.missing("provider") }
    guard let provider = try providers.counterpart(of: name) else { return nil }
    guard let subject = try entry.name("subject") else { throw entry.missing("subject") }
    var identity: [String: JSONValue] = [
      "providerId": .string(provider), "rawId": .string(subject),
    ]
    for (name, target) in [
      ("issuer", "issuer"), ("email", "email"), ("displayName", "displayName"),
      ("photoURL", "photoUrl"), ("screenName", "screenName"),
    ] {
      identity[target] = try entry.text(name).map(JSONValue.string)
    }
    return .object(identity)
  }

  private static func factor(_ entry: ImportedFields) throws(AuthError) -> JSONValue {
    var factor: [String: JSONValue] = [:]
    factor["mfaEnrollmentId"] = try entry.name("id").map(JSONValue.string)
    factor["displayName"] = try entry.text("displayName").map(JSONValue.string)
    factor["phoneInfo"] = try entry.text("phoneNumber").map(JSONValue.string)
    if let time = try entry.time("enrolledAt") {
      factor["enrolledAt"] = .string(Timestamp(milliseconds: time).text(withMilliseconds: true))
    }
    if let secret = try entry.text("totpSecret") {
      factor["totpInfo"] = ["sharedSecretKey": .string(secret)]
    }
    return .object(factor)
  }
}
