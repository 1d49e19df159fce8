import AuthCore
import BuiltInProviders

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
