import AuthCore

/// A URL, or a part of one, with names of settings in braces: `https://{domain}/oauth/token`.
package struct URLTemplate: Sendable, Hashable, CustomStringConvertible {
  package enum Part: Sendable, Hashable {
    case text(String)
    case name(String)
  }

  package let parts: [Part]
  package let description: String

  /// Reads a template; nil if a brace does not enclose a name.
  ///
  /// Texts other than URLs may have other braces, such as those of JSON, which stay as they are.
  package init?(_ text: String, isURL: Bool = true) {
    var parts: [Part] = []
    var plain = ""
    var rest = text[...]
    while let open = rest.firstIndex(where: { $0 == "{" || $0 == "}" }) {
      plain += rest[..<open]
      if let name = Self.name(after: rest[open...]) {
        if !plain.isEmpty { parts.append(.text(plain)) }
        plain = ""
        parts.append(.name(String(name)))
        rest = rest[name.endIndex...].dropFirst()
      } else {
        guard !isURL else { return nil }
        plain.append(rest[open])
        rest = rest[rest.index(after: open)...]
      }
    }
    plain += rest
    if !plain.isEmpty { parts.append(.text(plain)) }
    self.parts = parts
    description = text
  }

  /// The name in braces at the beginning of a text.
  ///
  /// Written by hand, because a pattern would be built again for each use.
  private static func name(after text: Substring) -> Substring? {
    guard text.first == "{" else { return nil }
    let name = text.dropFirst().prefix { $0.isASCII && ($0.isLetter || $0.isNumber) }
    guard !name.isEmpty, text[name.endIndex...].first == "}" else { return nil }
    return name
  }

  package var names: [String] {
    parts.compactMap { if case .name(let name) = $0 { name } else { nil } }
  }

  /// The text with every name replaced.
  package func filled(_ value: (String) throws -> String) rethrows -> String {
    try parts.map { part in
      switch part {
      case .text(let text): text
      case .name(let name): try value(name)
      }
    }.joined()
  }
}

extension URLTemplate: ExpressibleByStringLiteral {
  /// Reads a template that is written in Swift; braces without a name stay as they are.
  package init(stringLiteral text: String) {
    self.init(parts: [.text(text)], description: text)
    if let read = URLTemplate(text, isURL: false) { self = read }
  }

  private init(parts: [Part], description: String) {
    self.parts = parts
    self.description = description
  }
}

extension URLTemplate {
  /// The host, if it is literal; nil if settings are part of it.
  package var fixedHost: String? {
    guard case .text(let start)? = parts.first, let slashes = start.firstRange(of: "://") else {
      return nil
    }
    let rest = start[slashes.upperBound...]
    // The host is complete only if it ends before the first name.
    guard rest.contains(where: { "/?#".contains($0) }) || parts.count == 1 else { return nil }
    return URLText.host(of: start)
  }
}
