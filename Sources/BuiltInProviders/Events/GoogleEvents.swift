package import AuthCore

/// Google's Cross-Account Protection: Security Event Tokens about the people who signed in with Google.
///
/// Documentation: developers.google.com/identity/protocols/risc.
package struct GoogleEvents: Sendable {
  private let verifier: SecurityEventVerifier
  private let configurations: DocumentCache<Configuration>

  /// Google's description of its events.
  private struct Configuration: Sendable {
    let issuer: String
    let keys: String
  }

  /// Makes the reader; `keys` is the process's shared cache of public keys.
  package init(transport: any HTTPTransport, keys: KeyCache) {
    verifier = SecurityEventVerifier(keys: keys)
    let exchange = VendorExchange(transport: transport, step: .token)
    configurations = DocumentCache(
      exchange, clock: Timestamp.now, minimumRefreshSeconds: 60
    ) { document, place in
      guard let issuer = document["issuer"]?.stringValue,
        let keys = document["jwks_uri"]?.stringValue,
        VendorAddress.isUsable(keys, privateHosts: place.privateHosts)
      else {
        throw exchange.failure(
          "gave no issuer and key set of its events", HTTPRequest(.get, place.url),
          remedy: "Check the address of its RISC configuration.")
      }
      return Configuration(issuer: issuer, keys: keys)
    }
  }

  /// The address of Google's RISC configuration.
  package static let usualConfiguration =
    "https://accounts.google.com/.well-known/risc-configuration"

  /// Verifies a Security Event Token and reads its events.
  package func report(
    _ request: ProviderEventRequest, by issuers: [String], _ context: VerificationContext
  ) async throws -> ProviderEventReport {
    let token = try request.eventToken
    let settings = context.settings
    let place = DocumentCache<Configuration>.Place(
      name: "risc", url: settings.endpoint("risc", usually: Self.usualConfiguration),
      privateHosts: settings.privateHosts)
    guard let configuration = try await configurations.find(at: place, { $0 }) else {
      throw AuthError(.internalError, "Google's RISC configuration was lost.")
    }
    // Google writes its issuer with a slash in events, and without one in ID tokens.
    let spelled = Set([configuration.issuer] + issuers + issuers.map { "\($0)/" })
    let declaration = EventTokenDeclaration(
      issuers: [configuration.issuer], audiences: try settings.requiredList("clientIDs"),
      keys: .jwks(url: configuration.keys), algorithms: [.rs256],
      privateHosts: settings.privateHosts)
    let verified = try await verifier.verify(token, by: declaration, now: context.now)
    let signals = SharedSignals(issuers: spelled.sorted(), usualIssuers: spelled)
    return ProviderEventReport(try signals.events(of: verified))
  }
}
