import AuthCore

/// The parts of a scenario that its vendor signs with a secret of the settings, as a fixture writes them.
///
/// They are made at each replay, so that a signed credential is never too old and can be changed and signed again.
struct Seals: Sendable, Hashable {
  /// The signed contents by name: `{payload NAME}`.
  var payloads: [String: JSONValue] = [:]
  /// The keyed hashes by name: `{hmac NAME}`.
  var hmacs: [String: JSONValue] = [:]
  /// The RSA signatures by name: `{signed NAME}`, `{publicKey NAME}` and `{certificate NAME}`.
  var signatures: [String: JSONValue] = [:]

  init() {}

  /// Reads the members `payload`, `hmac` and `signed` of a scenario; throws `invalid-argument` naming the field.
  init(_ reader: FixtureReader) throws(AuthError) {
    payloads = try Self.checked("payload", reader, PayloadRecipe.check)
    hmacs = try Self.checked("hmac", reader, HashRecipe.check)
    signatures = try Self.checked("signed", reader, SignatureRecipe.check)
  }

  private static func checked(
    _ name: String, _ reader: FixtureReader, _ check: (FixtureReader) throws(AuthError) -> Void
  ) throws(AuthError) -> [String: JSONValue] {
    guard let inner = try reader.optional(name) else { return [:] }
    let members = try inner.all()
    for member in members.keys.sorted() {
      guard member.wholeMatch(of: /[A-Za-z0-9_.\-]+/) != nil else {
        throw inner.mistake(member, "a name has letters, digits, dots, dashes and underscores")
      }
      try check(try inner.required(member))
    }
    return members
  }

  var isEmpty: Bool { payloads.isEmpty && hmacs.isEmpty && signatures.isEmpty }

  /// The members of the scenario.
  var written: [String: JSONValue] {
    ["payload": payloads, "hmac": hmacs, "signed": signatures].filter { !$0.value.isEmpty }
      .mapValues { .object($0) }
  }

  /// True if the fields of the credential themselves are signed.
  var coverCredential: Bool { hmacs.values.contains { $0["lines"] == "credential" } }
}

/// The encodings of sealed bytes.
enum SealedText: String, CaseIterable {
  case text, hex, base64, base64url

  func written(_ bytes: [UInt8]) -> String {
    switch self {
    case .text: String(decoding: bytes, as: UTF8.self)
    case .hex: bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    case .base64: Base64.standard.text(bytes)
    case .base64url: Base64.url.text(bytes)
    }
  }

  init(_ reader: FixtureReader, usually: SealedText) throws(AuthError) {
    guard let name = try reader.text("as") else {
      self = usually
      return
    }
    guard let form = SealedText(rawValue: name) else {
      throw reader.mistake(
        "as", "there is no encoding \"\(name)\"", among: Self.allCases.map(\.rawValue), name)
    }
    self = form
  }
}
