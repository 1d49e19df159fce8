public import AuthCore

extension OIDCProvider: SettingsChecking {
  /// Checks settings that would fail only at a sign-in: the issuers' scheme, the algorithms and the authentication.
  public func check(_ settings: ProviderSettings) throws {
    for issuer in [settings.text("issuer")].compactMap(\.self) + settings.list("otherIssuers") {
      let host = URLText.host(of: issuer) ?? ""
      let isPrivate = settings.privateHosts.contains { host == $0 || host.hasPrefix("\($0):") }
      guard issuer.hasPrefix("https://") || (issuer.hasPrefix("http://") && isPrivate) else {
        throw AuthError(
          .invalidArgument, "The issuer \(issuer) is no https address.", field: "issuer",
          remedy: "Write https://…, or name its host in privateHosts.")
      }
    }
    if let type = settings.text("subjectType"), !["public", "pairwise"].contains(type) {
      throw AuthError(
        .invalidArgument, "There is no subject type \(type).", field: "subjectType",
        remedy: "Write public or pairwise, as the issuer's discovery document says.")
    }
    try OIDCSetup.check(settings)
  }
}
