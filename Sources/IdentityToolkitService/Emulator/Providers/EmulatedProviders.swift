public import AuthCore

extension ProviderRegistry {
  /// Returns a registry with the emulator's providers in place of the given ones.
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
