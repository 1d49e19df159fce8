import AuthCore
import AuthServer
import Foundation
import IdentityToolkitService
import Logging
import Yams
import SessionTokens

extension Configuration {
  /// The variables that commands read in addition to the settings.
  static let otherVariables: Set<String> = [
    "AUTHGRAPH_CONFIG", "AUTHGRAPH_MESSAGES", "AUTHGRAPH_MESSAGES_SECRET",
  ]

  /// Returns the file to read by default: the one in the environment, or the one in the current folder.
  static func usualFile(_ environment: [String: String]) -> String? {
    if let named = environment["AUTHGRAPH_CONFIG"], !named.isEmpty { return named }
    return FileManager.default.fileExists(atPath: "authgraph.yaml") ? "authgraph.yaml" : nil
  }

  /// Reads every setting; problems are added to the source's findings.
  init(_ source: ConfigurationSource) {
    // If the file cannot be read, other findings would be meaningless.
    guard !source.hasErrors else { return }
    let top = ConfigurationSection(source)
    mode = top.choice("compat", ServerMode.self) ?? .production
    let defaults = ServerDefaults(mode)
    store = Self.store(top, else: defaults.store)
    replicas = Self.replicas(top, of: store)
    project = Self.name("project", top) ?? defaults.project
    projects = Set(top.list("projects") ?? [])
    projectNumber = top.text("projectNumber")
    readSingleProjectMode(top)
    top.section("listen") { section in
      host = section.text("host") ?? host
      port = section.number("port", in: 0...65535) ?? port
    }
    readTLS(top)
    offersHTTP2 = top.flag("http2") ?? offersHTTP2
    publicURL = Self.publicURL(top, isPublic: defaults.isPublic)
    apiKeys = Self.apiKeys(top, project: project, projects: projects)
    plugins = top.filePaths("plugins") ?? []
    pluginKeys = Self.pluginKeys(top)
    keyFile = top.filePath("keyFile")
    checkKey(top)
    messages = Messages(top, logs: defaults.logsMessages)
    outbox = top.section("outbox") { Webhook($0) }
    trustedProxies = Self.networks("trustedProxies", top)
    functions = defaults.functions
    top.section("blockingFunctions") { section in
      functions.privateHosts = section.list("privateHosts") ?? functions.privateHosts
      functions.timeoutSeconds =
        section.number("timeoutSeconds", in: 1...60) ?? functions.timeoutSeconds
    }
    signing = top.choice("signing", among: TokenService.algorithms) ?? signing
    logsSpans = top.choice("tracing", Tracing.self) == .log
    rateLimits = RateLimits(top, else: defaults.rateLimits, isPublic: defaults.isPublic)
    top.section("limits") { limits = Limits($0) }
    metrics = top.choice("metrics", MetricsAccess.self)
    top.section("logging") { section in
      logging.level = section.choice("level", Logger.Level.self) ?? logging.level
      logging.format = section.choice("format", Logging.Format.self) ?? logging.format
      logging.showsEmails = section.flag("showsEmails") ?? logging.showsEmails
    }
    top.section("cors") { section in
      allowedOrigins = Set(section.list("origins") ?? [])
    }
    top.tellUnknown()
    source.tellUnknownVariables(besides: Self.otherVariables)
    if defaults.isPublic, apiKeys.isEmpty {
      source.add(
        ConfigurationFinding(
          severity: .warning, place: top.place(nil), field: "apiKeys",
          message: "There are no apiKeys, so every key is taken.",
          remedy: "List the keys that apps name."))
    }
  }

  private static func name(_ name: String, _ top: ConfigurationSection) -> String? {
    guard let raw = top.raw(name) else { return nil }
    if raw.text.isEmpty { top.tell(name, "has no letters.", at: raw) }
    return raw.text
  }

  private mutating func readSingleProjectMode(_ top: ConfigurationSection) {
    singleProjectMode =
      top.choice("singleProjectMode", SingleProjectMode.self) ?? singleProjectMode
    guard mode == .production, let raw = top.raw("singleProjectMode") else { return }
    top.warn(
      "singleProjectMode", "has an effect in the emulator alone.",
      remedy: "In production only the projects in the configuration are served.", at: raw)
  }

  private mutating func readTLS(_ top: ConfigurationSection) {
    top.section("tls") { section in
      let certificate = section.filePath("certificate")
      let key = section.filePath("key")
      guard certificate != nil || key != nil else { return }
      guard let certificate, let key else {
        return section.tell(
          certificate == nil ? "certificate" : "key", "is missing.",
          remedy: "Give both, as paths of PEM files.", at: section.node)
      }
      for (name, path) in [("certificate", certificate), ("key", key)] {
        guard let raw = section.raw(name) else { continue }
        if !FileManager.default.isReadableFile(atPath: path) {
          section.tell(
            name, "is \(path), which cannot be read.",
            remedy: "Check the path and its permissions.", at: raw)
        } else if name == "key", SecretFile.isOpenToOthers(path) {
          section.warn(
            name, "is \(path), which others can read.", remedy: "Run: chmod 600 \(path)", at: raw)
        }
      }
      tls = HTTPConfiguration.TLSFiles(certificatePath: certificate, keyPath: key)
    }
    guard tls != nil, let raw = top.raw("publicURL"), raw.text.hasPrefix("http://") else { return }
    top.warn(
      "publicURL", "begins with http, and the server takes TLS alone.",
      remedy: "Write it with https.", at: raw)
  }

  private static func publicURL(_ top: ConfigurationSection, isPublic: Bool) -> String? {
    guard let raw = top.raw("publicURL") else {
      if isPublic {
        top.tell(
          "publicURL", "is missing; links in messages begin with it.",
          remedy: "Set it to the address that people reach this server at, such as "
            + "https://auth.example.com.", at: top.node)
      }
      return nil
    }
    guard let address = WebAddress(raw.text), address.hasOnlyPath else {
      top.tell(
        "publicURL", "is no address of a server.", remedy: "Write it as https://auth.example.com.",
        at: raw)
      return nil
    }
    guard address.isSecure || address.isLoopback || !isPublic else {
      top.tell(
        "publicURL", "has to begin with https.",
        remedy: "Write https://auth.example.com; http is for a loopback address only.", at: raw)
      return nil
    }
    return raw.text.hasSuffix("/") ? String(raw.text.dropLast()) : raw.text
  }

  /// Reads API keys as a list, for the default project, or by project.
  private static func apiKeys(
    _ top: ConfigurationSection, project: String, projects: Set<String>
  ) -> [String: String] {
    let node = top.member("apiKeys")
    guard node?.mapping != nil, top.source.options["apiKeys"]?.values.isEmpty != false,
      top.source.variable(top.variable("apiKeys")) == nil
    else {
      let keys = top.list("apiKeys") ?? []
      return Dictionary(keys.map { ($0, project) }, uniquingKeysWith: { first, _ in first })
    }
    var result: [String: String] = [:]
    for (owner, value) in top.entries("apiKeys") {
      guard owner == project || projects.contains(owner) else {
        top.tell(
          "apiKeys", "names the project \(owner), which is not served.",
          remedy: suggestion(for: owner, among: projects.union([project])), at: value)
        continue
      }
      let keys =
        value.sequence.map { $0.compactMap(\.scalar?.string) } ?? [value.scalar?.string ?? ""]
      for key in keys {
        if key.isEmpty || result[key] != nil {
          top.tell("apiKeys", "has a key that is empty or there twice.", at: value)
        }
        result[key] = owner
      }
    }
    return result
  }

  /// Reads IP addresses, or prefixes such as `10.0.0.0/8`.
  private static func networks(_ name: String, _ top: ConfigurationSection) -> [String] {
    guard let raw = top.raw(name, asList: true) else { return [] }
    let networks = top.list(name) ?? []
    for network in networks where !IPNetworkText.isValid(network) {
      top.tell(
        name, "has \"\(network)\", which is no address or prefix.",
        remedy: "Write it as 10.0.0.0/8 or 2001:db8::1.", at: raw)
    }
    return networks
  }
}

/// The parts of a web address.
struct WebAddress {
  private let parts: URLComponents

  /// Takes an absolute http or https URL without user information.
  init?(_ text: String) {
    guard let parts = URLComponents(string: text), ["https", "http"].contains(parts.scheme),
      let host = parts.host, !host.isEmpty, parts.user == nil, parts.password == nil
    else { return nil }
    self.parts = parts
  }

  var isSecure: Bool { parts.scheme == "https" }
  var hasOnlyPath: Bool { parts.query == nil && parts.fragment == nil }
  var host: String { parts.host ?? "" }

  var isLoopback: Bool { LoopbackHost.isOne(host) }
}

enum IPNetworkText {
  /// Tells whether a text is an IP address, or one with the length of its prefix.
  static func isValid(_ text: String) -> Bool {
    let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    var storage = in6_addr()
    let address = String(parts[0])
    let isV4 = inet_pton(AF_INET, address, &storage) == 1
    guard isV4 || inet_pton(AF_INET6, address, &storage) == 1 else { return false }
    guard parts.count == 2 else { return true }
    return Int(parts[1]).map { (0...(isV4 ? 32 : 128)).contains($0) } ?? false
  }
}

/// The destination of spans.
private enum Tracing: String, CaseIterable {
  case off, log
}
