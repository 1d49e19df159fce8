/// One route to a host; each route has its own client.
enum Route: Hashable, Sendable {
  /// To a checked address, even if the name's addresses change afterwards.
  case pinned(host: HostText, IPAddress)
  /// Through the proxy of the environment, which resolves the name itself.
  case proxy(ProxySettings.Server)
}
