import AuthCore

/// A URL, or a part of one, with names of settings in braces: `https://{domain}/oauth/token`.
struct URLTemplate: Sendable, Hashable, CustomStringConvertible {
  enum Part: Sendable, Hashable {
    case text(String)
    case name(String)
  }

  let parts: [Part]
  let description: String

  /// Reads a template; nil where a brace is not around a name.
  ///
  /// Texts that are no URLs may have other braces, such as those of JSON; they stay.
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

  /// The name in braces that a text begins with; by hand, because a pattern is read anew each time.
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
  /// The host that is written out; nil where settings are part of it.
  var fixedHost: String? {
    guard case .text(let start)? = parts.first, let slashes = start.firstRange(of: "://") else {
      return nil
    }
    let rest = start[slashes.upperBound...]
    // The host is whole only where it ends before the first name.
    guard rest.contains(where: { "/?#".contains($0) }) || parts.count == 1 else { return nil }
    return URLText.host(of: start)
  }
}

/// Fills templates with a scope's settings.
struct TemplateFiller {
  let settings: ProviderSettings
  let fields: [PluginSetting]

  /// A URL with the settings in it; texts are escaped, hosts and URLs are put in as they are.
  ///
  /// Throws `operation-not-allowed` naming a setting that is missing.
  func url(_ template: URLTemplate) throws -> String {
    try template.filled { try value($0, escaping: true) }
  }

  /// A text that is no URL, such as a header.
  func text(_ template: URLTemplate) throws -> String {
    try template.filled { try value($0, escaping: false) }
  }

  /// One URL for each element of the list that stands in the template, or one where there is none.
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

  /// The text of one name, as it stands in a URL or as it is.
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
