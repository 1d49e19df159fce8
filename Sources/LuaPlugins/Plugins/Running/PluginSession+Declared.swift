import AuthCore
import BuiltInProviders

/// The session of a plug-in in the engine of providers.
extension PluginSession: ProviderSession {
  var network: any HTTPTransport { transport }
  var privateHosts: [String] { transport.privateHosts }
  var keys: KeyCache { host.keys }
  var discovery: DiscoveryCache { host.discovery }

  func value(_ name: String, inURL: Bool) throws -> String {
    try filler.value(name, inURL: inURL)
  }

  func endpoint(_ name: String, _ declared: URLTemplate?) throws -> String? {
    try declared.map { try filler.url($0) }
  }

  func allowed(_ url: String, forBrowser: Bool) throws(AuthError) -> String {
    try transport.address(url, forBrowser: forBrowser)
  }

  /// Logs a fault of the plug-in itself, and returns an error without details.
  func reported(_ error: any Error) -> any Error {
    guard let fault = error as? AuthError, fault.code == .pluginFailed, fault.cause == nil else {
      return error
    }
    return plugin.runner.outOfOrder(fault.message, nil, self)
  }

  /// Returns the session that the engine passes on.
  static func of(_ session: any ProviderSession) throws(AuthError) -> PluginSession {
    guard let own = session as? PluginSession else {
      throw AuthError(.internalError, "A plug-in runs in the session of another provider.")
    }
    return own
  }
}
