import AuthCore

/// A URL, or a part of one, with names of settings in braces: `https://{domain}/oauth/token`.
struct URLTemplate: Sendable, Hashable, CustomStringConvertible {
  enum Part: Sendable, Hashable {
    case text(String)
    case name(String)
  }

  let parts: [Part]
  let description: String

  /// Reads a template; nil if a brace does not enclose a name.
  ///
  /// Texts other than URLs may have other braces, such as those of JSON, which stay as they are.
  init?(_ text: String, isURL: Bool = true) {
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

  var names: [String] {
    parts.compactMap { if case .name(let name) = $0 { name } else { nil } }
  }

  /// The text with every name replaced.
  func filled(_ value: (String) throws -> String) rethrows -> String {
    try parts.map { part in
      switch part {
      case .text(let text): text
      case .name(let name): try value(name)
      }
    }.joined()
  }
}

extension URLTemplate {
  /// The host, if it is literal; nil if settings are part of it.
  var fixedHost: String? {
    guard case .text(let start)? = parts.first, let slashes = start.firstRange(of: "://") else {
      return nil
    }
    let rest = start[slashes.upperBound...]
    // The host is complete only if it ends before the first name.
    guard rest.contains(where: { "/?#".contains($0) }) || parts.count == 1 else { return nil }
    return URLText.host(of: start)
  }
}

/// Fills templates with a scope's settings.
struct TemplateFiller {
  let settings: ProviderSettings
  let fields: [PluginSetting]

  /// A URL with the settings in it; texts are escaped, hosts and URLs are inserted unchanged.
  ///
  /// Throws `operation-not-allowed` naming a missing setting.
  func url(_ template: URLTemplate) throws -> String {
    try template.filled { try value($0, escaping: true) }
  }

  /// A text that is not a URL, such as a header.
  func text(_ template: URLTemplate) throws -> String {
    try template.filled { try value($0, escaping: false) }
  }

  /// One URL for each element of the list in the template, or a single one without a list.
  func urls(_ template: URLTemplate) throws -> [String] {
    guard let list = template.names.first(where: { field($0)?.type == .list }) else {
      return [try url(template)]
    }
    return try settings.requiredList(list).map { element in
      try template.filled { name in
        name == list ? URLText.escaped(element) : try value(name, escaping: true)
      }
    }
  }

  /// The value of one name, escaped for a URL or unchanged.
  func value(_ name: String, inURL isInURL: Bool) throws -> String {
    try value(name, escaping: isInURL)
  }

  private func field(_ name: String) -> PluginSetting? { fields.first { $0.name == name } }

  private func value(_ name: String, escaping isEscaping: Bool) throws -> String {
    let field = field(name)
    if field?.type == .number, let number = settings.number(name) { return String(number) }
    guard let value = settings.text(name) ?? field?.fallback?.stringValue, !value.isEmpty else {
      return try settings.required(name)
    }
    let isWhole = field?.type == .host || field?.type == .url
    return isEscaping && !isWhole ? URLText.escaped(value) : value
  }
}
