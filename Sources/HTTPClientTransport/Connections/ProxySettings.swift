import Foundation

/// The proxy in the environment, by curl's rules.
///
/// `https_proxy`, or else `all_proxy`, in lower or upper case, names the proxy; `no_proxy` names the hosts that
/// need none. `http_proxy` is for plain http, which only private hosts may use, and those are always reached
/// directly, so it is ignored.
struct ProxySettings: Sendable {
  struct Server: Hashable, Sendable {
    enum Kind: Hashable, Sendable { case http, socks }
    let kind: Kind
    let host: String
    let port: Int
    var user: String?
    var password: String?
  }

  enum Choice: Hashable, Sendable {
    case direct
    case through(Server)
    /// The setting is not understood; ignoring it would violate the environment's intent.
    case unusable
  }

  private let choice: Choice
  private let exceptions: [Exception]

  init(environment: [String: String]) {
    func value(_ name: String) -> String? {
      let value = environment[name] ?? environment[name.uppercased()]
      return value.flatMap { $0.isEmpty ? nil : $0 }
    }
    choice = (value("https_proxy") ?? value("all_proxy")).map(Self.choice) ?? .direct
    exceptions = (value("no_proxy") ?? "").split { ", \t".contains($0) }.map { Exception($0) }
  }

  func choice(for destination: Destination) -> Choice {
    guard choice != .direct, !destination.mayBePrivate,
      !exceptions.contains(where: { $0.holds(for: destination) })
    else { return .direct }
    return choice
  }

  private static func choice(_ text: String) -> Choice {
    let full = text.contains("://") ? text : "http://\(text)"
    guard let parts = URLComponents(string: full), let host = parts.host.flatMap(bareHost) else {
      return .unusable
    }
    switch parts.scheme?.lowercased() {
    case "http":
      return .through(
        Server(
          kind: .http, host: host, port: parts.port ?? 80, user: parts.user,
          password: parts.password))
    case "socks5", "socks5h", "socks":
      // A proxy that requires a password over SOCKS is not supported, and not tried without it.
      guard parts.user == nil else { return .unusable }
      return .through(Server(kind: .socks, host: host, port: parts.port ?? 1080))
    default:
      return .unusable
    }
  }

  /// The host without brackets, as a name server or a socket takes it.
  private static func bareHost(_ text: String) -> String? {
    let inside = text.filter { !"[]".contains($0) }
    return IPAddress(inside)?.description ?? HostText(text)?.text
  }
}

extension ProxySettings {
  /// One entry of `no_proxy`.
  private enum Exception: Sendable {
    case everything
    case domain(String, port: Int?)
    case block(AddressBlock)

    init(_ entry: Substring) {
      if entry == "*" {
        self = .everything
      } else if let block = AddressBlock(entry.filter { !"[]".contains($0) }) {
        self = .block(block)
      } else {
        let name = entry.lowercased().drop { "*.".contains($0) }
        let parts = Destination.hostAndPort(name)
        self = .domain(parts?.host.text ?? String(name), port: parts?.port)
      }
    }

    func holds(for destination: Destination) -> Bool {
      switch (self, destination.host) {
      case (.everything, _): true
      case (.block(let block), .address(let address)): block.contains(address)
      case (.domain(let domain, let port), let host):
        (host.text == domain || host.text.hasSuffix(".\(domain)"))
          && (port ?? destination.port) == destination.port
      case (.block, .name): false
      }
    }
  }
}
