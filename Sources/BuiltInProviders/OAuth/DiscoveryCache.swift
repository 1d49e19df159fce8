public import AuthCore

/// Reads and keeps the discovery documents of issuers, one cache for the process.
///
/// A document is kept, fetched again, and served while its issuer is down, by the rules of ``KeyCache``.
public final class DiscoveryCache: Sendable {
  private let documents: DocumentCache<DiscoveryDocument>
  private let events: DocumentCache<GoogleEventConfiguration>

  /// Makes an empty cache.
  ///
  /// - Parameters:
  ///   - transport: fetches the documents.
  ///   - clock: decides which documents are fresh.
  ///   - minimumRefreshSeconds: the shortest time between two requests to one address.
  public init(
    transport: any HTTPTransport, clock: @escaping @Sendable () -> Timestamp = Timestamp.now,
    minimumRefreshSeconds: Int64 = 60
  ) {
    documents = DocumentCache(
      VendorExchange(transport: transport, step: .exchange), clock: clock,
      minimumRefreshSeconds: minimumRefreshSeconds
    ) { json, place in
      try DiscoveryDocument(json, of: place.name, privateHosts: place.privateHosts)
    }
    let exchange = VendorExchange(transport: transport, step: .token)
    events = DocumentCache(
      exchange, clock: clock, minimumRefreshSeconds: minimumRefreshSeconds
    ) { json, place in
      guard let read = GoogleEventConfiguration(json, privateHosts: place.privateHosts) else {
        throw exchange.failure(
          "gave no issuer and key set of its events", HTTPRequest(.get, place.url),
          remedy: "Check the address of its RISC configuration.")
      }
      return read
    }
  }

  /// Reads Google's RISC configuration, or returns the kept one.
  func googleEvents(
    at url: String, privateHosts: [String]
  ) async throws -> GoogleEventConfiguration {
    let place = DocumentCache<GoogleEventConfiguration>.Place(
      name: "risc", url: url, privateHosts: privateHosts)
    guard let configuration = try await events.find(at: place, { $0 }) else {
      throw AuthError(.internalError, "Google's RISC configuration was lost.")
    }
    return configuration
  }

  /// Reads `ISSUER/.well-known/openid-configuration`, or returns the kept document.
  ///
  /// The document has to name exactly the given issuer, with or without its final slash. Endpoints have to be
  /// `https`, except on private hosts; they may be on other hosts than the issuer.
  ///
  /// - Parameters:
  ///   - issuer: the issuer as it is configured, and as tokens have to name it.
  ///   - privateHosts: hosts that an admin allowed to be private and without TLS.
  ///   - address: the address to fetch the document from, if not the issuer's own; for a server that stands
  ///     in for it.
  ///   - step: the step that an error names.
  /// - Returns: the document.
  /// - Throws: `network-request-failed` if there is no usable document, `operation-not-allowed` if the issuer is
  ///   not an https address.
  public func document(
    of issuer: String, privateHosts: [String] = [], at address: String? = nil,
    step: FlowStep = .exchange
  ) async throws -> DiscoveryDocument {
    guard VendorAddress.isUsable(issuer, privateHosts: privateHosts), !issuer.contains("?") else {
      throw AuthError(
        .operationNotAllowed, "The issuer is no https address.", field: "issuer",
        remedy: "Configure it as the vendor writes it, such as https://id.example.com.", step: step)
    }
    // OpenID Connect Discovery 4.1: a final slash is not doubled.
    let place = address ?? issuer
    let base = place.hasSuffix("/") ? String(place.dropLast()) : place
    let document = DocumentCache<DiscoveryDocument>.Place(
      name: issuer, url: base + "/.well-known/openid-configuration", privateHosts: privateHosts)
    do {
      guard let document = try await documents.find(at: document, { $0 }) else {
        throw AuthError(.internalError, "A discovery document was lost.")
      }
      return document
    } catch var error as AuthError {
      error.step = step
      throw error
    }
  }
}
