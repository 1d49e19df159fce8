import AuthCore

/// Finds hosts that are requested but not declared or declared but not requested, and addresses without TLS.
enum HostCheck {
  static func findings(_ text: PluginText) -> [PluginFinding] {
    let asked = AskedAddresses(text)
    var findings: [PluginFinding] = []
    let hosts = Set(text.declaration.hosts.map { $0.lowercased() })
    for (name, url) in text.declaration.urls.sorted(by: { $0.key < $1.key })
    where url.lowercased().hasPrefix("http://") {
      findings.append(plain(text, url, field: name))
    }
    for address in asked.addresses {
      if address.url.lowercased().hasPrefix("http://") {
        findings.append(plain(text, address.url, line: address.line))
      }
      guard let host = host(of: address.url), !hosts.contains(host) else { continue }
      findings.append(
        text.finding(
          "undeclared-host", asked.isCertain(address) ? .error : .warning, line: address.line,
          field: "hosts", "\(host) is asked, and hosts does not name it.",
          remedy: "Add \"\(host)\" to hosts."))
    }
    return findings + unused(text, hosts, asked)
  }

  private static func plain(
    _ text: PluginText, _ url: String, line: Int? = nil, field: String? = nil
  ) -> PluginFinding {
    text.finding(
      "plain-http", line: line, field: field ?? "url",
      "\(host(of: url) ?? "A host") is asked without TLS.",
      remedy: "Write https; an admin alone can allow a private host without it.")
  }

  private static func unused(
    _ text: PluginText, _ hosts: Set<String>, _ asked: AskedAddresses
  ) -> [PluginFinding] {
    // The addresses of a discovery document are not known here.
    guard text.declaration.kind != .oidc || text.declaration.urls["keys"] != nil else { return [] }
    let written =
      text.declaration.urls.values.map { $0.lowercased() } + asked.texts
      + text.source.modules.map { $0.text.lowercased() }
    return hosts.sorted().filter { host in
      if host.hasPrefix("{") {
        let setting = host.dropFirst().dropLast()
        return !written.contains { $0.contains(host) || $0 == setting }
      }
      return !written.contains { $0.contains(host) }
    }.map { host in
      text.finding(
        "unused-host", .warning, field: "hosts",
        "hosts names \(host), which nothing here asks.", remedy: "Take it out of hosts.")
    }
  }

  /// The host without its port; nil if a setting decides it.
  static func host(of url: String) -> String? {
    guard let slashes = url.firstRange(of: "://") else { return nil }
    let rest = url[slashes.upperBound...]
    let host = rest.prefix { !"/?#:".contains($0) }.lowercased()
    // A host that continues in the next part is not known yet.
    guard !host.isEmpty, !host.contains("{"), host.contains(".") else { return nil }
    return host
  }
}

/// The addresses that the functions of a plug-in request, as far as its text shows them.
private final class AskedAddresses {
  struct Address {
    let url: String
    let line: Int
    let isArgument: Bool
  }

  private(set) var addresses: [Address] = []
  /// Every text and every member name, in lower case, except those that only describe the plug-in.
  private(set) var texts: [String] = []
  private var hasUnknown = false

  init(_ text: PluginText) {
    let descriptive = Set(["documentation", "notes", "hosts", "name", "id"])
    var skipped = Set<Int>()
    for field in text.declared?.fields ?? [] where field.name.map(descriptive.contains) == true {
      skipped.formUnion(Self.lines(of: field.value))
    }
    var others: [Address] = []
    var walk = LuaWalk()
    walk.expression = { value, place in
      if let written = value.textValue, !skipped.contains(value.line) {
        self.texts.append(written.lowercased())
        if place.isInFunction, written.hasPrefix("http") {
          others.append(Address(url: written, line: value.line, isArgument: false))
        }
      }
      guard let asked = Self.asked(by: value) else { return }
      if let start = Self.start(of: asked, place.scope) {
        self.addresses.append(Address(url: start, line: asked.line, isArgument: true))
      } else {
        self.hasUnknown = true
      }
    }
    walk.go(through: text.statements)
    let known = Set(addresses.map(\.url))
    if hasUnknown { addresses += others.filter { !known.contains($0.url) } }
  }

  /// Tells whether an address is certainly requested; the others are texts of a file that builds addresses.
  func isCertain(_ address: Address) -> Bool { address.isArgument }

  private static func lines(of value: LuaExpression) -> [Int] {
    switch value.kind {
    case .text: [value.line]
    case .table(let fields): fields.flatMap { lines(of: $0.value) }
    case .binary(_, let left, let right): lines(of: left) + lines(of: right)
    default: []
    }
  }

  private static func asked(by value: LuaExpression) -> LuaExpression? {
    guard let callee = value.callee else { return nil }
    if callee.hasSuffix(".get") || callee.hasSuffix(".post"), callee.hasPrefix("http") {
      return value.arguments.first
    }
    if callee == "oauth.exchange", value.arguments.count > 1 {
      return value.arguments[1].field("token")
    }
    return nil
  }

  /// The known beginning of an address; nil if it is not known.
  private static func start(of value: LuaExpression, _ scope: LuaScope, depth: Int = 0) -> String? {
    guard depth < 8 else { return nil }
    switch value.kind {
    case .text(let text): return text
    case .name(let name):
      return scope.local(name)?.value.flatMap { start(of: $0, scope, depth: depth + 1) }
    case .binary("..", let left, _):
      guard let start = start(of: left, scope, depth: depth + 1) else { return nil }
      let hasWholeHost = start.firstRange(of: "://").map { start[$0.upperBound...].contains("/") }
      return hasWholeHost == true ? start : nil
    default: return nil
    }
  }
}
