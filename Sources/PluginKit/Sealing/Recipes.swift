import AuthCore

/// A signed content: an object as `json` or as a `form`, or a `text`, in an encoding.
enum PayloadRecipe {
  static func check(_ reader: FixtureReader) throws(AuthError) {
    try reader.expectNames(["json", "form", "text", "as"])
    _ = try SealedText(reader, usually: .text)
    _ = try reader.optional("form")?.texts()
    let given = ["json", "form", "text"].filter { reader.json[$0] != nil }
    guard given.count == 1 else {
      throw reader.mistake("", "a payload has one of json, form and text")
    }
  }

  /// The bytes before the encoding.
  static func bytes(
    _ reader: FixtureReader, _ sealer: Sealer, _ open: [String]
  ) throws(AuthError) -> [UInt8] {
    if reader.json["form"] != nil {
      return Array(URLText.form(try members(reader, sealer, open)).utf8)
    }
    if let json = reader.json["json"] {
      return Array(try sealer.filled(json, open).text.utf8)
    }
    return Array(try sealer.recipe(try reader.text("text") ?? "", open).utf8)
  }

  /// The fields of a form, in alphabetical order.
  static func members(
    _ reader: FixtureReader, _ sealer: Sealer, _ open: [String]
  ) throws(AuthError) -> [(name: String, value: String)] {
    var members: [(name: String, value: String)] = []
    for (name, value) in try reader.required("form").texts().sorted(by: { $0.key < $1.key }) {
      members.append((name, try sealer.recipe(value, open)))
    }
    return members
  }
}

/// A keyed hash (RFC 2104) over a text, or over the lines `name=value` of a form or of the credential.
enum HashRecipe {
  static func check(_ reader: FixtureReader) throws(AuthError) {
    try reader.expectNames([
      "algorithm", "key", "over", "lines", "fields", "separator", "values", "as",
    ])
    _ = try SealedText(reader, usually: .hex)
    _ = try SealHash(reader)
    guard reader.json["key"] != nil else { throw reader.mistake("key", "the key is missing") }
    guard (try reader.text("over") == nil) != (try reader.text("lines") == nil) else {
      throw reader.mistake("over", "an hmac has one of over and lines")
    }
  }

  /// The text that is hashed.
  static func content(
    of name: String, _ reader: FixtureReader, _ sealer: Sealer, _ open: [String]
  ) throws(AuthError) -> String {
    if let text = try reader.text("over") { return try sealer.recipe(text, open) }
    let members = try sealer.members(of: try reader.text("lines") ?? "", without: name, open)
    let names = try reader.list("fields").compactMap(\.stringValue)
    let chosen =
      names.isEmpty
      ? members : names.compactMap { name in members.first { $0.name == name } }
    let isValueOnly = reader.json["values"] == true
    return chosen.map { isValueOnly ? $0.value : "\($0.name)=\($0.value)" }
      .joined(separator: try reader.text("separator") ?? "\n")
  }
}

/// An RSA signature with SHA-256 (PKCS #1) over texts, numbers and bytes one after the other.
enum SignatureRecipe {
  static func check(_ reader: FixtureReader) throws(AuthError) {
    try reader.expectNames(["over", "as"])
    _ = try SealedText(reader, usually: .base64)
    switch reader.json["over"] {
    case .string, .array: break
    default: throw reader.mistake("over", "over is a text or a list of parts")
    }
  }

  static func content(
    _ reader: FixtureReader, _ sealer: Sealer, _ open: [String]
  ) throws(AuthError) -> [UInt8] {
    let parts: [JSONValue] =
      if case .array(let parts)? = reader.json["over"] { parts } else {
        [reader.json["over"] ?? ""]
      }
    var bytes: [UInt8] = []
    for part in parts { bytes += try self.bytes(of: part, reader, sealer, open) }
    return bytes
  }

  private static func bytes(
    of part: JSONValue, _ reader: FixtureReader, _ sealer: Sealer, _ open: [String]
  ) throws(AuthError) -> [UInt8] {
    if let text = part.stringValue { return Array(try sealer.recipe(text, open).utf8) }
    if let text = part["base64"]?.stringValue,
      let bytes = Base64.bytes(ofEither: try sealer.recipe(text, open))
    {
      return bytes
    }
    // Game Center signs its time as eight bytes, the highest first.
    if let text = part["uint64"]?.stringValue, let number = UInt64(try sealer.recipe(text, open)) {
      return (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * UInt64($0))) }
    }
    throw reader.mistake(
      "over", "a part is a text, { \"base64\": … } or { \"uint64\": … }")
  }
}
