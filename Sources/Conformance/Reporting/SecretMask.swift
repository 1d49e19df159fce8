import AuthValues

/// Hides secrets in failures: tokens, passwords and keys.
///
/// Codes stay visible. They belong to accounts of the case, and a wrong one explains a failure.
struct SecretMask: Sendable {
  /// The texts of the target that must not be printed.
  private let texts: [String]

  private static let mask = "•••"

  /// Members that hold secrets, in letters and digits alone.
  private static let names: Set<String> = [
    "accesstoken", "authorization", "clientsecret", "idtoken", "key", "mfapendingcredential",
    "newpassword", "oldpassword", "password", "passwordhash", "pendingtoken", "postbody",
    "rawpassword", "refreshtoken", "salt", "sessioncookie", "sharedsecretkey", "signerkey",
    "temporaryproof", "token",
  ]

  init(_ target: ConformanceTarget) {
    // A word such as `owner` is no secret, and occurs in other texts.
    texts = [target.key.reveal(), target.adminToken.reveal()].filter { $0.count >= 16 }
  }

  /// Returns a value with masks in place of its secrets; an empty or missing one stays visible.
  func masked(_ value: JSONValue) -> JSONValue {
    switch value {
    case .object(let members):
      .object(
        Dictionary(
          uniqueKeysWithValues: members.map { name, member in
            (name, Self.isSecret(name) && member.holdsText ? .string(Self.mask) : masked(member))
          }))
    case .array(let list): .array(list.map(masked))
    case .string(let text): .string(masked(text))
    case .null, .bool, .integer, .number: value
    }
  }

  /// Returns a value of an answer with masks, given its place there.
  func masked(_ value: JSONValue, at path: String) -> JSONValue {
    let name = path.split(whereSeparator: { ".[ ?".contains($0) }).last.map(String.init) ?? ""
    return Self.isSecret(name) && value.holdsText ? .string(Self.mask) : masked(value)
  }

  /// Returns a text with masks in place of tokens, of the values of `key=`, and of the target's secrets.
  func masked(_ text: String) -> String {
    var text = text
    for secret in texts { text = text.replacing(secret, with: Self.mask) }
    text = text.replacing(#/([?&]key=)[^&\s"]+/#) { "\($0.output.1)\(Self.mask)" }
    return text.replacing(
      #/eyJ[A-Za-z0-9_\-]{8,}\.[A-Za-z0-9_\-]+\.[A-Za-z0-9_\-]*/#, with: Self.mask)
  }

  private static func isSecret(_ name: String) -> Bool {
    names.contains(name.lowercased().filter { $0.isLetter || $0.isNumber })
  }
}

extension JSONValue {
  /// True for a text that is not empty; other kinds cannot be a secret, and their kind explains a failure.
  fileprivate var holdsText: Bool { stringValue.map { !$0.isEmpty } ?? false }
}
