import AuthCore
import Foundation

/// Replaces secrets by placeholders, each secret always by the same one.
struct SecretMask {
  private var placeholders: [String: String] = [:]
  private(set) var idToken: [String: JSONValue]?

  /// The placeholder of an ID token in a fixture.
  static let idTokenPlaceholder = "{idToken}"

  /// Learns a secret, and returns its placeholder: `the-client-secret` for `clientSecret`.
  @discardableResult
  mutating func learn(_ secret: String, named name: String) -> String {
    guard !secret.isEmpty else { return secret }
    if let known = placeholders[secret] { return known }
    if let claims = Self.claims(of: secret) {
      // A fixture has one ID token; further ones are masked like any other secret.
      if idToken == nil {
        idToken = claims
        placeholders[secret] = Self.idTokenPlaceholder
        return Self.idTokenPlaceholder
      }
    }
    let words = name.replacing(/([a-z])([A-Z])/) { "\($0.1)-\($0.2)" }.lowercased()
    let base = "the-" + words.replacing(/[^a-z0-9]+/, with: "-")
    let taken = Set(placeholders.values)
    let placeholder =
      taken.contains(base)
      ? (2...).lazy.map { "\(base)-\($0)" }.first { !taken.contains($0) } ?? base : base
    placeholders[secret] = placeholder
    return placeholder
  }

  /// Returns the text with every known secret replaced, both plain and escaped for a URL.
  func masked(_ text: String) -> String {
    var masked = text
    for (secret, placeholder) in placeholders.sorted(by: { $0.key.count > $1.key.count }) {
      masked = masked.replacing(secret, with: placeholder)
      let escaped = URLText.escaped(secret)
      if escaped != secret {
        masked = masked.replacing(escaped, with: URLText.escaped(placeholder))
      }
    }
    return masked
  }

  func masked(_ json: JSONValue) -> JSONValue {
    switch json {
    case .string(let text): .string(masked(text))
    case .array(let elements): .array(elements.map { masked($0) })
    case .object(let members): .object(members.mapValues { masked($0) })
    default: json
    }
  }

  /// Masks the value of an `Authorization` header, in which Basic encodes user and password in base64.
  func masked(header value: String) -> String {
    let parts = value.split(separator: " ", maxSplits: 1).map(String.init)
    guard parts.count == 2, parts[0].lowercased() == "basic",
      let data = Data(base64Encoded: parts[1])
    else { return masked(value) }
    let pair = masked(String(decoding: data, as: UTF8.self))
    return "\(parts[0]) \(Data(pair.utf8).base64EncodedString())"
  }

  /// Tells whether a text still contains a secret.
  func leaks(_ text: String) -> Bool { leak(in: text) != nil }

  /// The placeholder of a secret that a text still contains.
  func leak(in text: String) -> String? {
    // A secret may be a part of another one's placeholder: `client` of `the-client-secret`.
    let rest = placeholders.values.sorted { $0.count > $1.count }
      .reduce(text) { $0.replacing($1, with: "•") }
    return placeholders.sorted { $0.value < $1.value }
      .first { $0.key.count >= 4 && rest.contains($0.key) }?.value
  }

  /// The claims of a compact JWS; nil for any other text.
  private static func claims(of text: String) -> [String: JSONValue]? {
    guard text.hasPrefix("eyJ"), let parts = TokenParts(text),
      let bytes = Base64.bytes(lenient: parts.payload),
      case .object(let claims)? = try? JSONValue(text: String(decoding: bytes, as: UTF8.self))
    else { return nil }
    return claims
  }
}

extension SecretMask {
  private static let secretNames = [
    "token", "secret", "password", "passwd", "assertion", "cookie", "session", "ticket", "jwt",
    "apikey", "authcode", "signature",
  ]

  /// Tells whether a member of a vendor's answer is a secret, by its name.
  static func isSecret(_ name: String) -> Bool {
    let plain = name.lowercased().filter(\.isLetter)
    return plain != "tokentype" && secretNames.contains { plain.contains($0) }
  }

  private static func isAddress(_ text: String) -> Bool {
    text.hasPrefix("https://") || text.hasPrefix("http://")
  }

  /// Learns the tokens of an answer.
  mutating func learn(from json: JSONValue) {
    switch json {
    case .object(let members):
      // A fixed order, so that the same answer gives the same placeholders.
      for (name, value) in members.sorted(by: { $0.key < $1.key }) {
        if let text = value.stringValue, Self.isAddress(text) {
          // `token_endpoint` is no token, but its query may contain one.
          learn(fromForm: String(text.drop { $0 != "?" }.dropFirst()))
        } else if let text = value.stringValue, text.count >= 6,
          Self.isSecret(name) || Self.claims(of: text) != nil
        {
          learn(text, named: name)
        } else {
          learn(from: value)
        }
      }
    case .array(let elements): for element in elements { learn(from: element) }
    default: break
    }
  }

  /// Learns the tokens of an answer that is a form.
  mutating func learn(fromForm text: String) {
    for (name, value) in URLText.uniqueFields(of: text) ?? [:]
    where Self.isSecret(name) && value.count >= 6 {
      learn(value, named: name)
    }
  }
}
