/// One way to a host; a client is kept for each.
enum Route: Hashable, Sendable {
  /// To an address that was checked, whatever the name means a moment later.
  case pinned(host: HostText, IPAddress)
  /// Through the proxy of the environment, which resolves the name itself.
  case proxy(ProxySettings.Server)
}
