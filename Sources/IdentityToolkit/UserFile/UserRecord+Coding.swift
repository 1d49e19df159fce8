public import AuthCore
public import Foundation

/// A key as it stands in the file, so that unknown ones can be named.
struct AnyKey: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }

  init(_ name: String) { stringValue = name }
  init?(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { nil }
}

extension UserRecord {
  /// Reads one record from JSON; throws an ``AuthError`` that names the field.
  public init(json: Data) throws(AuthError) {
    do {
      self = try JSONDecoder().decode(UserRecord.self, from: json)
    } catch let error as AuthError {
      throw error
    } catch let error as DecodingError {
      throw Self.malformed(error)
    } catch {
      throw AuthError(.invalidArgument, "The record cannot be read.", cause: error)
    }
  }

  /// The record as one line of JSON, keys in alphabetical order.
  public func json() throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return try encoder.encode(self)
  }

  private static func malformed(_ error: DecodingError) -> AuthError {
    let path: [any CodingKey]
    let problem: String
    switch error {
    case .typeMismatch(let type, let context):
      (path, problem) = (context.codingPath, "is not \(name(of: type))")
    case .valueNotFound(let type, let context):
      (path, problem) = (context.codingPath, "is null, not \(name(of: type))")
    case .keyNotFound(let key, let context):
      (path, problem) = (context.codingPath + [key], "is missing")
    case .dataCorrupted(let context):
      (path, problem) = (context.codingPath, "is not valid JSON")
    @unknown default: (path, problem) = ([], "cannot be read")
    }
    let field = path.map { $0.intValue.map { "[\($0)]" } ?? $0.stringValue }.joined(separator: ".")
    let subject = field.isEmpty ? "The record" : "The field \(field)"
    return AuthError(
      .invalidArgument, "\(subject) \(problem).", field: field.isEmpty ? nil : field,
      remedy: "Correct the record and import the file again.")
  }

  private static func name(of type: any Any.Type) -> String {
    switch type {
    case is String.Type: "a text"
    case is Bool.Type: "true or false"
    case is [String: Any].Type: "an object"
    case is [Any].Type: "a list"
    default: "of the right type"
    }
  }
}

extension UserRecord: Codable {
  private static let keys = [
    "localId", "email", "emailVerified", "passwordHash", "salt", "displayName", "photoUrl",
    "createdAt", "lastSignedInAt", "phoneNumber", "disabled", "customAttributes",
    "providerUserInfo", "mfaInfo", "lastLoginAt", "validSince", "passwordUpdatedAt", "version",
    "lastRefreshAt",
  ]

  public init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: AnyKey.self)
    try Self.refuseUnknown(fields, among: Self.keys)
    func text(_ name: String) throws -> String? {
      try fields.decodeIfPresent(String.self, forKey: AnyKey(name))
    }
    guard let localId = try text("localId") else {
      throw AuthError(
        .invalidUID, "The record has no localId.", field: "localId",
        remedy: "Give every record the user's uid.")
    }
    self.localId = localId
    email = try text("email")
    emailVerified = try fields.decodeIfPresent(Bool.self, forKey: AnyKey("emailVerified"))
    passwordHash = try text("passwordHash")
    salt = try text("salt")
    displayName = try text("displayName")
    photoUrl = try text("photoUrl")
    createdAt = try fields.milliseconds("createdAt")
    lastSignedInAt = try fields.milliseconds("lastSignedInAt") ?? fields.milliseconds("lastLoginAt")
    phoneNumber = try text("phoneNumber")
    disabled = try fields.decodeIfPresent(Bool.self, forKey: AnyKey("disabled"))
    customAttributes = try text("customAttributes")
    providerUserInfo = try fields.list("providerUserInfo", keys: ProviderEntry.keys)
    mfaInfo = try fields.list("mfaInfo", keys: FactorEntry.keys)
  }

  public func encode(to encoder: any Encoder) throws {
    var fields = encoder.container(keyedBy: AnyKey.self)
    try fields.encode(localId, forKey: AnyKey("localId"))
    try fields.encodeIfPresent(email, forKey: AnyKey("email"))
    try fields.encodeIfPresent(emailVerified, forKey: AnyKey("emailVerified"))
    try fields.encodeIfPresent(passwordHash, forKey: AnyKey("passwordHash"))
    try fields.encodeIfPresent(salt, forKey: AnyKey("salt"))
    try fields.encodeIfPresent(displayName, forKey: AnyKey("displayName"))
    try fields.encodeIfPresent(photoUrl, forKey: AnyKey("photoUrl"))
    try fields.encodeIfPresent(createdAt.map { "\($0.milliseconds)" }, forKey: AnyKey("createdAt"))
    try fields.encodeIfPresent(
      lastSignedInAt.map { "\($0.milliseconds)" }, forKey: AnyKey("lastSignedInAt"))
    try fields.encodeIfPresent(phoneNumber, forKey: AnyKey("phoneNumber"))
    try fields.encodeIfPresent(disabled, forKey: AnyKey("disabled"))
    try fields.encodeIfPresent(customAttributes, forKey: AnyKey("customAttributes"))
    try fields.encode(providerUserInfo, forKey: AnyKey("providerUserInfo"))
    if !mfaInfo.isEmpty { try fields.encode(mfaInfo, forKey: AnyKey("mfaInfo")) }
  }

  static func refuseUnknown(
    _ fields: KeyedDecodingContainer<AnyKey>, among keys: [String]
  ) throws(AuthError) {
    guard
      let unknown = fields.allKeys.map(\.stringValue).sorted().first(where: { !keys.contains($0) })
    else { return }
    throw AuthError(
      .invalidArgument, "The record has an unknown field \"\(unknown)\".", field: unknown,
      remedy: suggestion(for: unknown, among: keys))
  }
}

extension KeyedDecodingContainer<AnyKey> {
  /// A time in milliseconds, which Firebase writes as a string and other tools as a number.
  fileprivate func milliseconds(_ name: String) throws -> Timestamp? {
    let key = AnyKey(name)
    guard contains(key), try !decodeNil(forKey: key) else { return nil }
    let text = try? decode(String.self, forKey: key)
    guard let value = try text.map({ Int64($0) }) ?? decode(Int64.self, forKey: key) else {
      throw AuthError(
        .invalidArgument, "The field \(name) is not a number of milliseconds.", field: name,
        remedy: "Write it as \"1500000000000\".")
    }
    return Timestamp(milliseconds: value)
  }

  /// A list of entries, none of which may have an unknown field.
  fileprivate func list<Entry: Decodable>(_ name: String, keys: [String]) throws -> [Entry] {
    let key = AnyKey(name)
    guard contains(key), try !decodeNil(forKey: key) else { return [] }
    var names = try nestedUnkeyedContainer(forKey: key)
    while !names.isAtEnd {
      try UserRecord.refuseUnknown(try names.nestedContainer(keyedBy: AnyKey.self), among: keys)
    }
    return try decode([Entry].self, forKey: key)
  }
}
