import AuthCore

extension EventRule {
  /// Security Event Tokens (RFC 8417) and logout tokens of an OpenID Connect issuer, if an admin turns them on.
  static let openIDConnect = EventRule(isUsual: false, needing: "issuer") { request, use in
    var declaration = EventTokenDeclaration(like: try await use.eventRequirements())
    declaration.types.insert("logout+jwt")
    let token = try await SecurityEventVerifier(keys: use.session.keys).verify(
      try request.eventToken, by: declaration, now: use.session.now)
    let signals = SharedSignals(
      issuers: declaration.tokens.issuers,
      usualIssuers: [try use.session.settings.required("issuer")])
    let isLogout = request.mediaType == "application/x-www-form-urlencoded"
    return ProviderEventReport(
      try signals.events(of: token), response: ProviderEventResponse(status: isLogout ? 200 : 202))
  }
}

extension ProviderUse {
  /// The requirements of a token of the vendor, by which its events are verified too.
  func eventRequirements() async throws -> IDTokenDeclaration {
    try requirements(of: "", isExchanged: false, try await document(needing: ["keys"]))
  }
}
