package import AuthCore

/// One use of a declared provider: the settings, the time and the network of a sign-in.
package protocol ProviderSession: Sendable {
  var settings: ProviderSettings { get }
  var now: Timestamp { get }
  var network: any HTTPTransport { get }
  var privateHosts: [String] { get }
  var keys: KeyCache { get }
  var discovery: DiscoveryCache { get }

  /// Returns the value of a name in a template; throws `operation-not-allowed` if the setting is missing.
  func value(_ name: String, inURL: Bool) throws -> String
  /// Returns the address that an admin configured for an endpoint, or the declared one; nil if there is neither.
  func endpoint(_ name: String, _ declared: URLTemplate?) throws -> String?
  /// Returns the address to use for one that was filled or discovered; throws if the provider may not use it.
  func allowed(_ url: String, forBrowser: Bool) throws(AuthError) -> String
  /// Returns the error that a client sees.
  func reported(_ error: any Error) -> any Error
}

extension ProviderSession {
  package func endpoint(_ name: String, usually url: URLTemplate) throws -> String {
    try endpoint(name, url) ?? url.description
  }

  /// Checks an address of a discovery document, which does not extend the hosts that a plug-in may request.
  ///
  /// Throws `network-request-failed`.
  func discovered(_ url: String, _ member: String) throws(AuthError) -> String {
    do {
      return try allowed(url, forBrowser: false)
    } catch {
      throw AuthError(
        .networkRequestFailed,
        "The discovery document names a \(member) on \(URLText.host(of: url) ?? "no host"), "
          + "which the plug-in does not declare.",
        field: member, remedy: "Check the vendor, or add the host to the plug-in's hosts.",
        step: .exchange)
    }
  }

  /// Fills a text; the values of `more` take precedence over settings.
  package func filled(_ template: URLTemplate, _ more: [String: String] = [:]) throws -> String {
    try template.filled { try more[$0] ?? value($0, inURL: false) }
  }

  package func filled(
    _ templates: [String: URLTemplate], _ more: [String: String] = [:]
  ) throws -> [(name: String, value: String)] {
    try templates.sorted { $0.key < $1.key }.map { ($0.key, try filled($0.value, more)) }
  }
}

/// The session of a provider that ships in Swift: its settings `endpoints` override declared addresses.
struct SettingsSession: ProviderSession {
  let settings: ProviderSettings
  let now: Timestamp
  let network: any HTTPTransport
  let keys: KeyCache
  let discovery: DiscoveryCache
  /// The values of names in templates that are no settings.
  let values: @Sendable (ProviderSettings) throws -> [String: String]

  var privateHosts: [String] { settings.privateHosts }

  func value(_ name: String, inURL: Bool) throws -> String {
    let value = try values(settings)[name] ?? settings.required(name)
    return inURL ? URLText.escaped(value) : value
  }

  func endpoint(_ name: String, _ declared: URLTemplate?) throws -> String? {
    try settings.text(name, of: "endpoints")
      ?? declared.map { try $0.filled { try value($0, inURL: true) } }
  }

  func allowed(_ url: String, forBrowser: Bool) -> String { url }

  func reported(_ error: any Error) -> any Error { error }
}
