public import AuthCore

extension ProviderRegistry {
  /// Makes a registry of every provider that ships in Swift.
  ///
  /// Servers, consoles and the tests of every path use this list.
  ///
  /// - Parameters:
  ///   - transport: sends the requests to vendors.
  ///   - passwordHasher: makes and checks password hashes.
  ///   - clock: the time that decides how old keys are; tests pass their own.
  ///   - serviceAccounts: looks up the service accounts whose custom tokens are accepted; nil for none.
  /// - Returns: the registry.
  public static func builtIn(
    transport: any HTTPTransport, passwordHasher: PasswordHasher = PasswordHasher(),
    clock: @escaping @Sendable () -> Timestamp = Timestamp.now,
    serviceAccounts: CustomProvider.ServiceAccountKeys? = nil
  ) -> ProviderRegistry {
    let keys = KeyCache(transport: transport, clock: clock)
    let discovery = DiscoveryCache(transport: transport, clock: clock)
    let builtIn: [any AuthProvider] = [
      AnonymousProvider(), PasswordProvider(hasher: passwordHasher), PhoneProvider(),
      EmailLinkProvider(), CustomProvider(keys: keys, serviceAccounts: serviceAccounts),
    ]
    let declared = declarations.map {
      DeclaredProvider($0, transport: transport, keys: keys, discovery: discovery)
    }
    return ProviderRegistry(
      builtIn + declared,
      families: [OIDCFamily(transport: transport, keys: keys, discovery: discovery)])
  }
}

extension ProviderRegistry {
  /// The vendors that are declared in Swift.
  private static let declarations: [ProviderDeclaration] = [
    .google, .facebook, .apple, .gameCenter, .playGames,
  ]

  /// The IDs of the providers that ship in Swift, which no plug-in may take.
  public static let reservedIDs: Set<ProviderID> =
    Set([.anonymous, .password, .phone, .emailLink, .custom] + declarations.map(\.id))

  /// Tells whether an ID is closed to plug-ins: it is built in, or of a family such as `oidc.NAME`.
  public static func isReserved(_ id: ProviderID) -> Bool {
    reservedIDs.contains(id) || ["oidc.", "saml."].contains { id.rawValue.hasPrefix($0) }
  }
}
