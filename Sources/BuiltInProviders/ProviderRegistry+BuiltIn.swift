public import AuthCore

extension ProviderRegistry {
  /// Makes a registry of every provider that ships in Swift.
  ///
  /// This is the list that a server and a console run with, and that the tests of every path go through.
  ///
  /// - Parameters:
  ///   - transport: what speaks to vendors.
  ///   - passwordHasher: what makes and checks password hashes.
  ///   - clock: the time by which keys grow old; given in tests.
  /// - Returns: the registry.
  public static func builtIn(
    transport: any HTTPTransport, passwordHasher: PasswordHasher = PasswordHasher(),
    clock: @escaping @Sendable () -> Timestamp = Timestamp.now
  ) -> ProviderRegistry {
    let keys = KeyCache(transport: transport, clock: clock)
    let discovery = DiscoveryCache(transport: transport, clock: clock)
    let builtIn: [any AuthProvider] = [
      AnonymousProvider(), PasswordProvider(hasher: passwordHasher), PhoneProvider(),
      EmailLinkProvider(), CustomProvider(keys: keys),
      GoogleProvider(transport: transport, keys: keys),
      FacebookProvider(transport: transport, keys: keys),
      AppleProvider(transport: transport, keys: keys),
    ]
    return ProviderRegistry(
      builtIn, families: [OIDCFamily(transport: transport, keys: keys, discovery: discovery)])
  }
}

extension ProviderRegistry {
  /// The IDs of the providers that ship in Swift, which no plug-in may take.
  public static let reservedIDs: Set<ProviderID> = [
    .anonymous, .password, .phone, .emailLink, .custom, .google, .apple, ProviderID("facebook.com"),
  ]

  /// Whether no plug-in may have an ID: it is built in, or of a family such as `oidc.NAME`.
  public static func isReserved(_ id: ProviderID) -> Bool {
    reservedIDs.contains(id) || ["oidc.", "saml."].contains { id.rawValue.hasPrefix($0) }
  }
}
