public import AuthCore

extension ProviderRegistry {
  /// Makes a registry of every provider that ships in Swift.
  ///
  /// This is the list that a server and a console run with, and that the tests of every path go through.
  ///
  /// - Parameters:
  ///   - transport: what speaks to vendors.
  ///   - passwordHasher: what makes and checks password hashes.
  ///   - passwordParameters: finds how imported password hashes were made.
  ///   - clock: the time by which keys grow old; given in tests.
  /// - Returns: the registry.
  public static func builtIn(
    transport: any HTTPTransport, passwordHasher: PasswordHasher = PasswordHasher(),
    passwordParameters: @escaping PasswordProvider.ParameterLookup,
    clock: @escaping @Sendable () -> Timestamp = Timestamp.now
  ) -> ProviderRegistry {
    let keys = KeyCache(transport: transport, clock: clock)
    let discovery = DiscoveryCache(transport: transport, clock: clock)
    let builtIn: [any AuthProvider] = [
      AnonymousProvider(), PasswordProvider(hasher: passwordHasher, parameters: passwordParameters),
      PhoneProvider(), EmailLinkProvider(), CustomProvider(keys: keys),
      GoogleProvider(transport: transport, keys: keys),
      FacebookProvider(transport: transport, keys: keys),
      AppleProvider(transport: transport, keys: keys),
    ]
    return ProviderRegistry(
      builtIn, families: [OIDCFamily(transport: transport, keys: keys, discovery: discovery)])
  }
}
