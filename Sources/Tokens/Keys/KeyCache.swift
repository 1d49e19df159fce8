public import AuthCore
import NIOConcurrencyHelpers

/// Fetches and keeps the public keys of issuers, one cache for the process.
///
/// Keys are parsed once, not for each token. A key set is fresh for as long as its `Cache-Control` says, but at
/// least a minute and at most a day, and for five minutes without that header; `no-store` and `no-cache` mean a
/// minute. After that, and for a token with an unknown key, it is fetched again, at most once in
/// `minimumRefreshSeconds` for each address. Verifications that wait for one set share one request.
///
/// While an issuer is down its old keys are served, without a time limit. The cache is bounded: 64 addresses, 100
/// keys a set, 256 KiB a document. Certificates that vendors publish are kept by the same rules.
public final class KeyCache: Sendable {
  private let sets: DocumentCache<KeySet>
  private let certificates: DocumentCache<[UInt8]>

  /// True while keys are being fetched.
  package var isFetching: Bool { sets.isFetching || certificates.isFetching }

  private let fixed = NIOLockedValueBox<[[String]: KeySet]>([:])

  /// Makes an empty cache.
  ///
  /// - Parameters:
  ///   - transport: fetches the key sets.
  ///   - clock: decides which sets are fresh.
  ///   - minimumRefreshSeconds: the shortest time between two requests to one address.
  public init(
    transport: any HTTPTransport, clock: @escaping @Sendable () -> Timestamp = Timestamp.now,
    minimumRefreshSeconds: Int64 = 60
  ) {
    let exchange = VendorExchange(transport: transport, step: .token)
    sets = DocumentCache(exchange, clock: clock, minimumRefreshSeconds: minimumRefreshSeconds) {
      document, place in
      guard let set = KeySet(jwks: document) else {
        throw exchange.failure(
          "gave an answer that is no key set of up to \(KeySet.maximumKeys) keys",
          HTTPRequest(.get, place.url), remedy: "Check the address of its keys.")
      }
      return set
    }
    certificates = DocumentCache(
      exchange, clock: clock, minimumRefreshSeconds: minimumRefreshSeconds,
      accepting: "application/pkix-cert, application/x-x509-ca-cert"
    ) { response, request, _ in
      guard response.body.count <= Self.maximumCertificateBytes,
        (try? CertificateKey(response.body)) != nil
      else { throw exchange.failure("gave an answer that is no certificate", request) }
      return response.body
    }
  }

  private static let maximumCertificateBytes = 10_000

  /// Returns the key of a certificate in DER that a vendor publishes; nil if it is weak, or outside its validity.
  ///
  /// The caller has to know that the address is the vendor's. Throws `network-request-failed`.
  package func certificateKey(
    at url: String, privateHosts: [String], now: Timestamp
  ) async throws -> SignatureKey? {
    let place = DocumentCache<[UInt8]>.Place(name: "", url: url, privateHosts: privateHosts)
    // Read for each use, because a certificate may expire in the cache.
    return try await certificates.find(at: place) { $0 }
      .flatMap { SignatureKey($0, now: now) }
  }

  /// Finds the key that may have signed a token.
  ///
  /// Throws `invalid-credential` naming `kid` if no key or more than one fits, and `network-request-failed` if the
  /// keys could not be fetched.
  func key(
    of token: AdmittedToken, by declaration: IDTokenDeclaration
  ) async throws -> FoundKey {
    let (id, algorithm) = (token.keyID, token.algorithm)
    let finding: KeySet.Finding
    switch declaration.keys {
    case .fixed(let texts):
      finding = try fixedKeys(texts).find(id, algorithm)
    case .jwks(let url):
      let place = DocumentCache<KeySet>.Place(
        name: "", url: url, privateHosts: declaration.privateHosts)
      let known = try await sets.find(at: place) { set -> KeySet.Finding? in
        let finding = set.find(id, algorithm)
        if case .unknown = finding { return nil }
        return finding
      }
      finding = known ?? .unknown
    }
    let name = id.map { "named \"\(shown($0))\"" } ?? "for a token that names none"
    switch finding {
    case .found(let key): return key
    case .unknown:
      throw AuthError.refusedToken("The issuer has no key \(name).", field: "kid")
    case .ambiguous:
      throw AuthError.refusedToken("The issuer has more than one key \(name).", field: "kid")
    case .unfit:
      throw AuthError.refusedToken(
        "The issuer's key \(name) is not for \(algorithm.rawValue).", field: "kid")
    }
  }

  private func fixedKeys(_ texts: [String]) throws(AuthError) -> KeySet {
    if let known = fixed.withLockedValue({ $0[texts] }) { return known }
    guard let set = KeySet(texts: texts) else {
      throw AuthError(
        .operationNotAllowed, "A configured key is no usable public key.", field: "publicKeys",
        remedy: "Give public keys as JWK or PEM, RSA with 2048 bits or more.", step: .token)
    }
    fixed.withLockedValue {
      if $0.count >= DocumentCache<KeySet>.maximumPlaces { $0 = [:] }
      $0[texts] = set
    }
    return set
  }
}
