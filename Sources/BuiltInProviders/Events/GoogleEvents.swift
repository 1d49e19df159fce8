import AuthCore

/// Google's description of its events.
struct GoogleEventConfiguration: Sendable {
  let issuer: String
  let keys: String

  /// Reads Google's RISC configuration; nil if it names no issuer, or no usable address of keys.
  init?(_ document: JSONValue, privateHosts: [String]) {
    guard let issuer = document["issuer"]?.stringValue,
      let keys = document["jwks_uri"]?.stringValue,
      VendorAddress.isUsable(keys, privateHosts: privateHosts)
    else { return nil }
    (self.issuer, self.keys) = (issuer, keys)
  }
}

extension EventRule {
  /// Google's Cross-Account Protection: Security Event Tokens about the people who signed in with Google.
  ///
  /// Documentation: developers.google.com/identity/protocols/risc.
  static let google = EventRule(needing: "clientIDs") { request, use in
    let session = use.session
    let token = try request.eventToken
    let configuration = try await session.discovery.googleEvents(
      at: try session.endpoint(
        "risc", usually: "https://accounts.google.com/.well-known/risc-configuration"),
      privateHosts: session.privateHosts)
    let issuers = use.declaration.manifest.issuers
    // Google writes its issuer with a slash in events, and without one in ID tokens.
    let spelled = Set([configuration.issuer] + issuers + issuers.map { "\($0)/" })
    let declaration = EventTokenDeclaration(
      like: IDTokenDeclaration(
        issuers: [configuration.issuer],
        audiences: try session.settings.requiredList("clientIDs"),
        keys: .jwks(url: configuration.keys), algorithms: [.rs256], nonce: .none,
        privateHosts: session.privateHosts))
    let verified = try await SecurityEventVerifier(keys: session.keys).verify(
      token, by: declaration, now: session.now)
    let signals = SharedSignals(issuers: spelled.sorted(), usualIssuers: spelled)
    return ProviderEventReport(try signals.events(of: verified))
  }
}
