package import AuthCore

/// The expectation of an example.
package struct PolicyExpectation {
  /// The account that survives, `current` or `existing`; nil for a refusal.
  package var into: String?
  /// A part of the reason of a refusal; nil for any.
  package var reason: String?
  /// Fields of the result; a null expects none.
  package var fields: [MergeField: JSONValue] = [:]

  /// A merge into a side.
  package static func merge(into side: String) -> Self { Self(into: side) }

  /// A refusal, with a part of its reason or any.
  package static func refusal(_ reason: String? = nil) -> Self { Self(reason: reason) }

  fileprivate var text: String {
    guard let into else { return "{ refuse = \(reason?.luaText ?? "true") }" }
    let fields = fields.sorted { $0.key.rawValue < $1.key.rawValue }.map {
      "\($0.key.rawValue) = \($0.value.luaText)"
    }
    return "{ \((["into = \"\(into)\""] + fields).joined(separator: ", ")) }"
  }
}

extension MergeConflict {
  /// The conflict as an example for a policy's file, in Lua; only what differs from an example without any field.
  package func exampleText(named name: String, expecting expectation: PolicyExpectation) -> String {
    var parts = ["name = \(name.luaText)"]
    if code != .credentialAlreadyInUse { parts.append("code = \"\(code)\"") }
    if provider != .google { parts.append("provider = \(provider.rawValue.luaText)") }
    parts.append("current = \(current.exampleText(as: "current"))")
    parts.append("existing = \(existing.exampleText(as: "existing"))")
    if !proof.both {
      parts.append("proof = { current = \(proof.current), existing = \(proof.existing) }")
    }
    parts += credential.exampleText.map { ["credential = \($0)"] } ?? []
    parts += session.exampleText.map { ["session = \($0)"] } ?? []
    if current.hasRealTimes || existing.hasRealTimes || session.signedInAt?.isReal == true {
      parts.append("now = \(decidedAt.exampleText)")
    }
    parts.append("expect = \(expectation.text)")
    let line = "{ \(parts.joined(separator: ", ")) },"
    if line.count <= 96 { return line }
    return "{\n" + parts.map { "  \($0),\n" }.joined() + "},"
  }
}

extension ConflictCredential {
  /// Nil if no credential was shown.
  fileprivate var exampleText: String? {
    var parts: [String] = []
    if let subject { parts.append("subject = \(subject.luaText)") }
    if let email { parts.append("email = \(email.luaText)") }
    if emailVerified { parts.append("emailVerified = true") }
    if claims != .null { parts.append("claims = \(claims.luaText)") }
    return parts.isEmpty ? nil : "{ \(parts.joined(separator: ", ")) }"
  }
}

extension ConflictSession {
  /// Nil if there is no session.
  fileprivate var exampleText: String? {
    var parts: [String] = []
    if let signedInAt { parts.append("signedInAt = \(signedInAt.exampleText)") }
    if secondFactor { parts.append("secondFactor = true") }
    return parts.isEmpty ? nil : "{ \(parts.joined(separator: ", ")) }"
  }
}

extension Account {
  /// True if a time is a date, and not a small number that only orders the accounts.
  fileprivate var hasRealTimes: Bool {
    createdAt.isReal || lastSignInAt?.isReal == true
  }

  fileprivate func exampleText(as name: String) -> String {
    var parts: [String] = []
    if createdAt.milliseconds != 0 { parts.append("createdAt = \(createdAt.exampleText)") }
    if let lastSignInAt { parts.append("lastSignInAt = \(lastSignInAt.exampleText)") }
    if let email { parts.append("email = \(email.text.luaText)") }
    if emailVerified { parts.append("emailVerified = true") }
    if let displayName { parts.append("displayName = \(displayName.luaText)") }
    if let photoURL { parts.append("photoURL = \(photoURL.luaText)") }
    if let phoneNumber { parts.append("phoneNumber = \(phoneNumber.text.luaText)") }
    if disabled { parts.append("disabled = true") }
    if isAnonymous { parts.append("isAnonymous = true") }
    if let customClaims {
      parts.append("customClaims = \(JSONValue.object(customClaims.members).luaText)")
    }
    let isUsual =
      isAnonymous
      ? identities.isEmpty : identities.count == 1 && identities[0].provider == .plain
    if !isUsual {
      let entries = identities.map { identity -> String in
        let subject = identity.key.subject.luaText
        return "{ providerID = \(identity.provider.rawValue.luaText), uid = \(subject) }"
      }
      parts.append("providerData = { \(entries.joined(separator: ", ")) }")
    }
    if !secondFactors.isEmpty {
      let factors = secondFactors.map { factor -> String in
        guard case .phone(let number) = factor.kind else { return "{ factorID = \"totp\" }" }
        return "{ factorID = \"phone\", phoneNumber = \(number.text.luaText) }"
      }
      parts.append("multiFactor = { enrolledFactors = { \(factors.joined(separator: ", ")) } }")
    }
    return parts.isEmpty ? "{}" : "{ \(parts.joined(separator: ", ")) }"
  }
}

extension Timestamp {
  fileprivate var isReal: Bool { milliseconds >= 1_000_000_000 }

  /// A date as text, any other time in milliseconds.
  fileprivate var exampleText: String { isReal ? "\"\(text)\"" : "\(milliseconds)" }
}

extension String {
  /// The text as a literal of Lua.
  fileprivate var luaText: String {
    var text = "\""
    for scalar in unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\n": text += "\\n"
      case _ where scalar.value < 0x20 || scalar.value == 0x7F:
        text += "\\u{\(String(scalar.value, radix: 16))}"
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text + "\""
  }

  /// Tells whether the text can be the name of a field without brackets.
  fileprivate var isLuaName: Bool {
    guard let first, first.isLetter || first == "_", !LuaLexer.keywords.contains(self) else {
      return false
    }
    return allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
  }
}

extension JSONValue {
  /// The value as a literal of Lua, with the names of objects in order.
  fileprivate var luaText: String {
    switch self {
    case .null: return "json.null"
    case .bool(let value): return "\(value)"
    case .integer(let value): return "\(value)"
    case .number(let value): return "\(value)"
    case .string(let text): return text.luaText
    case .array(let values):
      return values.isEmpty
        ? "{}" : "{ \(values.map(\.luaText).joined(separator: ", ")) }"
    case .object(let members):
      let fields = members.sorted { $0.key < $1.key }.map { name, value in
        "\(name.isLuaName ? name : "[\(name.luaText)]") = \(value.luaText)"
      }
      return fields.isEmpty ? "{}" : "{ \(fields.joined(separator: ", ")) }"
    }
  }
}
