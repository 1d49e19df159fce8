public import AuthCore

/// Every OpenID Connect provider that an admin names: `oidc.work`, `oidc.school`.
public struct OIDCFamily: ProviderFamily {
  public let prefix = "oidc."
  private let transport: any HTTPTransport
  private let keys: KeyCache
  private let discovery: DiscoveryCache

  /// Makes the family; its members share the caches.
  public init(transport: any HTTPTransport, keys: KeyCache, discovery: DiscoveryCache) {
    self.transport = transport
    self.keys = keys
    self.discovery = discovery
  }

  public func provider(_ id: ProviderID) -> any AuthProvider {
    OIDCProvider(id, transport: transport, keys: keys, discovery: discovery)
  }
}
