public import AuthCore

extension CustomProvider: SettingsChecking {
  /// Checks that every key can be read.
  public func check(_ settings: ProviderSettings) throws {
    for text in settings.names("publicKeys").values {
      _ = try PublicKeyText(text, field: "publicKeys")
    }
    if let key = try settings.secret("signingKey") {
      _ = try SigningKey(pem: key, field: "signingKey")
    }
  }
}
