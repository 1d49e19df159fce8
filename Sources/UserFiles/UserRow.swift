import AuthCore

/// A row of `auth:export --format=csv`, read as the record that the JSON format would have.
///
/// The file has no header. Its columns are those of firebase-tools: seven of the account, four each for Google,
/// Facebook, Twitter and GitHub, five more of the account, and four each for providers that came later. It has no
/// second factors.
enum UserRow {
  /// The number of columns up to the creation time, which every account has.
  ///
  /// A shorter row was cut by a line break.
  private static let fewest = 24
  /// The number of all columns, including the empty one after the comma that ends each row.
  private static let most = 53

  private static let texts: [(column: Int, name: String)] = [
    (0, "localId"), (1, "email"), (3, "passwordHash"), (4, "salt"), (5, "displayName"),
    (6, "photoUrl"), (23, "createdAt"), (24, "lastSignedInAt"), (25, "phoneNumber"),
    (27, "customAttributes"),
  ]
  private static let flags: [(column: Int, name: String)] = [
    (2, "emailVerified"), (26, "disabled"),
  ]
  private static let providers: [(column: Int, id: String)] = [
    (7, "google.com"), (11, "facebook.com"), (15, "twitter.com"), (19, "github.com"),
    (28, "apple.com"), (32, "microsoft.com"), (36, "gc.apple.com"), (40, "playgames.google.com"),
    (44, "linkedin.com"), (48, "yahoo.com"),
  ]

  /// Makes the record, whose text is then read like any other.
  static func record(_ values: [String]) throws(AuthError) -> JSONValue {
    guard (fewest...most).contains(values.count) else {
      throw AuthError(
        .invalidArgument,
        "The row has \(values.count) columns and not \(fewest) to \(most - 1).", field: "file",
        remedy: "Put values with commas, quotes or line breaks in quotes, or export as JSON.")
    }
    func value(_ column: Int) -> String? {
      guard values.indices.contains(column) else { return nil }
      let text = values[column].trimmed
      return text.isEmpty ? nil : text
    }
    var members: [String: JSONValue] = [:]
    for (column, name) in texts { members[name] = value(column).map(JSONValue.string) }
    for (column, name) in flags {
      switch value(column) {
      case nil: break
      case "true"?: members[name] = true
      case "false"?: members[name] = false
      case let other?: members[name] = .string(other)
      }
    }
    var entries: [JSONValue] = []
    for (column, id) in providers {
      guard let subject = value(column) else { continue }
      var entry: [String: JSONValue] = ["providerId": .string(id), "rawId": .string(subject)]
      entry["email"] = value(column + 1).map(JSONValue.string)
      entry["displayName"] = value(column + 2).map(JSONValue.string)
      entry["photoUrl"] = value(column + 3).map(JSONValue.string)
      entries.append(.object(entry))
    }
    members["providerUserInfo"] = .array(entries)
    return .object(members)
  }
}

extension String {
  /// The text without surrounding spaces.
  var trimmed: String {
    let first = unicodeScalars.firstIndex { !$0.properties.isWhitespace }
    guard let first, let last = unicodeScalars.lastIndex(where: { !$0.properties.isWhitespace })
    else { return "" }
    return String(unicodeScalars[first...last])
  }
}
