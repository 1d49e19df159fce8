import AdminConsole
import AuthCore
import Foundation
import HTTPClientTransport
import LuaPlugins

/// The file or the address of a bundle.
struct BundleSource {
  private let text: String
  private let isSigned: Bool
  private let authority: AuthorityOptions

  /// Takes a path or an address, the authorities of a server there, and if allowed keys are known.
  init(_ text: String, isSigned: Bool, trusting authority: AuthorityOptions) {
    self.text = text
    self.isSigned = isSigned
    self.authority = authority
  }

  /// Reads the bundle.
  ///
  /// Throws `invalid-argument` for an address without TLS, and for one without a known key.
  func read() throws -> PluginBundle {
    guard text.contains("://") else {
      try authority.check(for: text)
      return try PluginBundle(path: text)
    }
    guard let address = WebAddress(text), address.isSecure || address.isLoopback else {
      throw AuthError(
        .invalidArgument, "\(text) is no https address.", field: "bundle",
        remedy: "Write https://…; http is for a loopback address only.")
    }
    guard isSigned else {
      throw AuthError(
        .invalidArgument, "A bundle of a server needs a key.", field: "key",
        remedy: "Get the author's public key another way, and name it with --key.")
    }
    try authority.check(for: text)
    let transport = try authority.transport()
    return try PluginBundle(
      bytes: try waiting { [text] in
        try await Self.download(text, address, over: transport)
      })
  }

  private static func download(
    _ url: String, _ address: WebAddress, over transport: HTTPClientTransport
  ) async throws -> [UInt8] {
    var request = HTTPRequest(.get, url)
    request.timeout = .seconds(60)
    request.maximumResponseBytes = PluginBundle.mostBytes
    if address.isLoopback { request.privateHosts = [address.host] }
    let answer: HTTPResponse
    do {
      answer = try await transport.send(request)
    } catch {
      try? await transport.shutdown()
      throw error
    }
    try? await transport.shutdown()
    guard answer.status == 200 else {
      throw AuthError(
        .networkRequestFailed, "\(url) answered \(answer.status).", field: "bundle",
        remedy: "Check the address; redirects are not followed.")
    }
    return answer.body
  }
}

/// The keys that may have signed a bundle: those of the command, within those of the configuration.
struct AllowedKeys {
  let keys: [BundleKey]

  /// Reads the keys; throws `invalid-argument` if the configuration cannot be read, or does not allow a given key.
  init(ofConfiguration file: String?, given: [String]) throws(AuthError) {
    let file = file ?? Configuration.usualFile(ProcessInfo.processInfo.environment)
    let source = ConfigurationSource(file: file)
    // Settings of a server that are missing here do not matter, but an unreadable file could hide the keys.
    let isReadable = !source.hasErrors
    let configured = Configuration(source).pluginKeys
    guard isReadable,
      !source.findings.contains(where: { $0.severity == .error && $0.field == "pluginKeys" })
    else {
      throw AuthError(
        .invalidArgument, "The configuration cannot be read, so its keys are unknown.",
        field: "pluginKeys", remedy: "Correct it; authgraph config check shows its faults.")
    }
    var named: [BundleKey] = []
    for text in given { named.append(try BundleKey(text)) }
    for key in named where !configured.isEmpty && !configured.contains(key) {
      throw AuthError(
        .invalidArgument, "\(key) is not one of pluginKeys in the configuration.", field: "key",
        remedy: "Leave out --key, or add the key to pluginKeys.")
    }
    keys = named.isEmpty ? configured : named
  }
}
