public import AuthCore

/// Reads and keeps the discovery documents of issuers; one for the process.
///
/// A document is kept, fetched again and served while its issuer is down by the rules of ``KeyCache``.
public final class DiscoveryCache: Sendable {
  private let documents: DocumentCache<DiscoveryDocument>

  /// Makes an empty cache.
  ///
  /// - Parameters:
  ///   - transport: fetches the documents.
  ///   - clock: tells which documents are fresh.
  ///   - minimumRefreshSeconds: how long after a request the next one to the same address may be made.
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
  }

  /// Reads `ISSUER/.well-known/openid-configuration`, or gives what was read before.
  ///
  /// The document has to name exactly the issuer given, with its final slash or without. Endpoints have
  /// to be `https`, save on private hosts; they may be on other hosts than the issuer.
  ///
  /// - Parameters:
  ///   - issuer: as it is configured, and as tokens have to name it.
  ///   - privateHosts: hosts that an admin allowed to be private and without TLS.
  ///   - address: where the document is fetched instead of at the issuer; for a server that stands in for it.
  ///   - step: the step that an error names.
  /// - Returns: the document.
  /// - Throws: `network-request-failed` where there is no usable document, `operation-not-allowed`
  ///   where the issuer is no https address.
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
