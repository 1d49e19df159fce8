public import AuthCore

extension ProviderRegistry {
  /// The ways to sign in that the emulator has, in place of those of a registry.
  public static func emulator(over registry: ProviderRegistry) -> ProviderRegistry {
    var emulated: [any AuthProvider] = []
    if let passwords = registry[.password] {
      emulated.append(EmulatedPasswordProvider(over: passwords))
    }
    if let tokens = registry[.custom] {
      emulated.append(EmulatedCustomProvider(over: tokens))
    }
    return registry.adding(emulated).replacingVendors()
  }
}
