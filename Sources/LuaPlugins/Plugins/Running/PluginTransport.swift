import AuthCore
import NIOConcurrencyHelpers

/// The transport to a plug-in's vendor: to the declared hosts only, and within the limits of time and requests.
///
/// An admin's `servers` stand in for hosts. The transport below handles name resolution, redirects and private
/// addresses.
struct PluginTransport: HTTPTransport {
  let base: any HTTPTransport
  let hosts: Set<String>
  /// Base URLs by the host that they stand in for.
  let servers: [String: String]
  let privateHosts: [String]
  let limits: PluginLimits
  let allowance: RequestAllowance
  /// Receives a declared address, and the stand-in's address that is requested in its place.
  var rewritten: @Sendable (String, String) -> Void = { _, _ in }

  func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    var request = request
    request.url = try address(request.url)
    request.privateHosts = privateHosts
    request.timeout = min(limits.requestTime, try allowance.take())
    request.maximumResponseBytes = limits.answerBytes
    return try await base.send(request)
  }

  /// The address to request for a URL; throws `plugin-failed` for an undeclared host.
  ///
  /// An address for a browser need not be declared, because the plug-in sends no request to it.
  func address(_ url: String, forBrowser isForBrowser: Bool = false) throws(AuthError) -> String {
    guard let host = URLText.host(of: url) else {
      throw Self.refused("its URL is not absolute", "Write https://….")
    }
    if let server = servers[host] {
      let rest = url.firstRange(of: "://").map { url[$0.upperBound...] } ?? ""
      let path = rest.drop { !"/?#".contains($0) }
      guard !Self.climbs(path) else {
        throw Self.refused("its address has . or .. between slashes", "Write the path out.")
      }
      rewritten(url, server + path)
      return server + path
    }
    // An address that a stand-in names itself, such as an endpoint in its discovery document.
    if servers.values.contains(where: { url.hasPrefix("\($0)/") }), !Self.climbs(url[...]) {
      return url
    }
    if isForBrowser {
      guard isForBrowsers(url, host) else {
        throw Self.refused("it sends a browser to an address without https", "Write https://….")
      }
    } else if !hosts.contains(host) {
      throw Self.refused("it requests \(host), which it does not declare", "Add the host to hosts.")
    }
    return url
  }

  /// Tells whether a path leads out of its base with `..`.
  private static func climbs(_ path: Substring) -> Bool {
    path.prefix { !"?#".contains($0) }.split(separator: "/")
      .contains { [".", ".."].contains($0.lowercased().replacing("%2e", with: ".")) }
  }

  /// Tells whether a browser may open an address.
  ///
  /// No transport checks it, so dangerous addresses are refused here.
  private func isForBrowsers(_ url: String, _ host: String) -> Bool {
    let scheme = url.prefix { $0 != ":" }.lowercased()
    let authority = url.drop { $0 != "/" }.drop { $0 == "/" }.prefix { !"/?#".contains($0) }
    guard !authority.contains("@"), !authority.contains("\\") else { return false }
    let name = host.split(separator: ":").first.map(String.init) ?? host
    return scheme == "https"
      || (scheme == "http" && (privateHosts.contains(host) || privateHosts.contains(name)))
  }

  private static func refused(_ why: String, _ remedy: String) -> AuthError {
    AuthError(
      .pluginFailed, "The plug-in may not send this request: \(why).", field: "hosts",
      remedy: remedy)
  }
}

/// Counts a sign-in's requests, and its time.
final class RequestAllowance: Sendable {
  private let left: NIOLockedValueBox<Int>
  private let attempts: NIOLockedValueBox<Int>
  private let end: ContinuousClock.Instant

  init(_ limits: PluginLimits) {
    left = NIOLockedValueBox(limits.requests)
    attempts = NIOLockedValueBox(limits.requests * 4)
    end = .now + limits.time
  }

  /// Counts a script's attempt to send a request, because even a refused attempt costs time.
  func attempt() throws(AuthError) {
    let isLeft = attempts.withLockedValue { attempts in
      attempts -= 1
      return attempts >= 0
    }
    guard isLeft else { throw Self.tooMany }
  }

  private static var tooMany: AuthError {
    AuthError(
      .pluginFailed, "The plug-in makes too many requests for one sign-in.",
      remedy: "Send fewer requests.")
  }

  /// Counts one request; returns its timeout.
  func take() throws(AuthError) -> Duration {
    let isLeft = left.withLockedValue { left in
      left -= 1
      return left >= 0
    }
    guard isLeft else { throw Self.tooMany }
    let rest = end - .now
    guard rest > .zero else {
      throw AuthError(
        .networkRequestFailed, "The provider took too long.", remedy: "Try again later.")
    }
    return rest
  }
}

extension PluginTransport {
  /// Makes the transport of a declaration under a scope's settings.
  init(_ declaration: PluginDeclaration, _ settings: ProviderSettings, _ host: PluginHost) throws {
    let filler = TemplateFiller(settings: settings, fields: declaration.ownSettings)
    var hosts: Set<String> = []
    for template in declaration.hostTemplates {
      // A host whose setting is missing cannot be requested; the missing setting is reported at its use.
      guard let filled = try? filler.text(template).lowercased() else { continue }
      hosts.insert(filled.contains("://") ? URLText.host(of: filled) ?? filled : filled)
    }
    // A declared host may be requested at its usual port, and at the ports in the declaration's own addresses.
    for place in declaration.places where hosts.contains(String(place.prefix { $0 != ":" })) {
      hosts.insert(place)
    }
    let servers = Dictionary(
      settings.names("servers").map { host, server in
        (host.lowercased(), server.hasSuffix("/") ? String(server.dropLast()) : server)
      },
      uniquingKeysWith: { first, _ in first })
    self.init(
      base: host.transport, hosts: hosts, servers: servers,
      privateHosts: settings.list("privateHosts").map { $0.lowercased() }, limits: host.limits,
      allowance: RequestAllowance(host.limits), rewritten: host.rewritten)
  }
}
