public import AuthCore

extension AppleProvider: SettingsChecking {
  /// Checks that the private key can sign client secrets.
  public func check(_ settings: ProviderSettings) throws {
    if let key = try settings.secret("privateKey") {
      _ = try SigningKey(pem: key, field: "privateKey")
    }
  }
}
