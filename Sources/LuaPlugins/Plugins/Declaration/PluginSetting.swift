import AuthCore

/// A setting that a plug-in declares itself.
struct PluginSetting: Sendable {
  enum SettingType: String, Sendable, CaseIterable {
    case text, url, list, flag, number, secret
    /// A host name, with or without a port.
    case host
  }

  let name: String
  let type: SettingType
  let isRequired: Bool
  let fallback: JSONValue?
  let summary: String
  /// True if the setting decides whose subjects are meant; see ``ConfigurationField/namesSubjects``.
  var namesSubjects = false

  var configuration: ConfigurationField.FieldType? {
    switch type {
    case .text, .host: .text
    case .url: .url
    case .list: .list
    case .flag: .flag
    case .number: .number
    case .secret: .secret
    }
  }

  var field: ConfigurationField {
    let usual = fallback.map { " (usually \($0.stringValue ?? $0.text))" } ?? ""
    return ConfigurationField(
      name, configuration ?? .text, required: isRequired, namesSubjects: namesSubjects,
      fallback: fallback, summary + usual)
  }

  /// Tells whether a text is a host name, with or without a port, and nothing else.
  static func isHost(_ text: String) -> Bool {
    text.utf8.count <= 255
      && text.wholeMatch(
        of:
          /[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?(\.[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?)*(:\d{1,5})?/
      )
        != nil
  }
}

extension ConfigurationField {
  /// The servers that stand in for the hosts of a plug-in's vendor.
  static let servers = ConfigurationField(
    "servers", .urls, "servers that stand in for hosts, by host, for tests and proxies")
  static let privateHosts = ConfigurationField(
    "privateHosts", .list, "hosts, as host or host:port, that may be private and without TLS")
  static func clientID(namesSubjects: Bool) -> ConfigurationField {
    ConfigurationField(
      "clientID", .text, required: true, namesSubjects: namesSubjects, "your client's ID")
  }
  static let clientSecret = ConfigurationField(
    "clientSecret", .secret, "your client's secret, where it has one")
  static let audiences = ConfigurationField(
    "audiences", .list, "further client IDs of yours whose tokens are taken")
  static let scopes = ConfigurationField(
    "scopes", .list, "the requested scopes, in place of the plug-in's")
}
