import AuthCore

/// The vendor's addresses that a sign-in requested while other servers stood in for its hosts.
///
/// One server may stand in for several hosts, so the requested address does not follow from the one that was sent:
/// each rewriting is recorded.
struct ServerOverrides {
  /// Base URLs, without a final slash, by the host that they stand in for.
  private let servers: [String: String]
  private var noted: [(asked: String, sent: String)] = []

  init(_ settings: [String: JSONValue]) {
    guard case .object(let members)? = settings["servers"] else {
      servers = [:]
      return
    }
    servers = members.compactMapValues { $0.stringValue.map { $0.droppingSlash } }
  }

  mutating func note(asked: String, sent: String) {
    noted.append((asked.withoutQuery, sent.withoutQuery))
  }

  /// The vendor's own address, without its query.
  func vendorURL(of url: String) -> String {
    let address = url.withoutQuery
    if let exact = noted.last(where: { $0.sent == address }) { return exact.asked }
    // Addresses below a requested one, such as a discovery document below its issuer.
    let above = noted.filter { address.hasPrefix($0.sent.droppingSlash + "/") }
    let length = above.map { $0.sent.droppingSlash.count }.max() ?? 0
    if let nearest = above.last(where: { $0.sent.droppingSlash.count == length }) {
      return nearest.asked.droppingSlash + address.dropFirst(length)
    }
    return named(address)
  }

  /// A text of an answer with the vendor's addresses in place of the stand-ins'.
  func named(_ text: String) -> String {
    bases.reduce(text) { $0.replacing($1, with: home(of: $1)) }
  }

  func named(_ json: JSONValue) -> JSONValue {
    guard !servers.isEmpty else { return json }
    switch json {
    case .string(let text): return .string(named(text))
    case .array(let elements): return .array(elements.map { named($0) })
    case .object(let members): return .object(members.mapValues { named($0) })
    default: return json
    }
  }

  private var bases: [String] { Set(servers.values).sorted { ($1.count, $0) < ($0.count, $1) } }

  /// The vendor's host that a server stands in for: the first one requested.
  private func home(of base: String) -> String {
    let hosts = servers.filter { $0.value == base }.keys.sorted()
    let asked = noted.lazy.compactMap { URLText.host(of: $0.asked) }.first { hosts.contains($0) }
    return "https://\(asked ?? hosts.first ?? "")"
  }
}

extension String {
  fileprivate var droppingSlash: String { hasSuffix("/") ? String(dropLast()) : self }
  fileprivate var withoutQuery: String { String(prefix { $0 != "?" && $0 != "#" }) }
}
