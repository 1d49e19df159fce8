public import AuthCore

extension EmailLinkProvider: SettingsChecking {
  /// Checks the lifetime of links and the page that they open.
  public func check(_ settings: ProviderSettings) throws {
    _ = try lifetime(settings)
    if settings.text("linkBase") != nil { _ = try LinkPage(settings, continueURL: nil) }
  }
}
