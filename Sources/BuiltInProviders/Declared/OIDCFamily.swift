public import AuthCore

/// The family of OpenID Connect providers that an admin names, such as `oidc.work` and `oidc.school`.
public struct OIDCFamily: ProviderFamily {
  /// The prefix `oidc.` of the members' IDs.
  public let prefix = "oidc."
  private let transport: any HTTPTransport
  private let keys: KeyCache
  private let discovery: DiscoveryCache

  /// Makes the family, whose members share the caches.
  public init(transport: any HTTPTransport, keys: KeyCache, discovery: DiscoveryCache) {
    self.transport = transport
    self.keys = keys
    self.discovery = discovery
  }

  /// Makes a member of the family.
  public func provider(_ id: ProviderID) -> any AuthProvider {
    DeclaredProvider(
      .openIDConnect(id), transport: transport, keys: keys, discovery: discovery)
  }
}
