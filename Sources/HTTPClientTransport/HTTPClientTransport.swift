public import AuthValues
import Foundation

/// Sends requests over the network, with the promises of ``AuthCore/HTTPTransport``.
///
/// **Addresses.** The transport resolves a name itself, checks every address, and connects to one of exactly these
/// addresses, so a name server that changes its answer in between (DNS rebinding) gains nothing. A single address
/// that is not public is enough to refuse the host. Names are resolved again after 30 seconds. Only hosts of
/// ``AuthCore/HTTPRequest/privateHosts`` may have private addresses or be requested without TLS; an entry without a
/// port allows every port.
///
/// **Time and size.** The request's timeout covers the name server, connecting, sending and the last byte of the
/// answer. The size is counted while bytes arrive. Nothing is decompressed, and no compression is requested.
///
/// **Repeating.** A repeatable request is sent again, at most twice and within its timeout, if the connection
/// failed or closed without an answer, or if the answer was 502, 503 or 504 without `Retry-After`.
///
/// **Proxies.** `HTTPS_PROXY`, `ALL_PROXY` and `NO_PROXY` are read once, lower case first. `HTTP_PROXY` is ignored:
/// only private hosts may be requested without TLS, and they are always reached directly. A proxy resolves names
/// itself, so with a proxy only addresses and names that are private as written can be refused; the proxy needs its
/// own list.
///
/// **Errors.** `network-request-failed`, with the host and the reason. A cancelled task gets `CancellationError`.
public final class HTTPClientTransport: HTTPTransport {
  /// The number of a host's addresses to try before it counts as unreachable.
  private static let maximumAddresses = 3

  private let addressBook: AddressBook
  private let isPublic: @Sendable (IPAddress) -> Bool
  private let proxySettings: ProxySettings
  private let pool: ClientPool

  /// Reads the proxy from the environment, by default that of the process; makes no connection yet.
  ///
  /// `authorities` are trusted besides the system's.
  ///
  /// Call ``shutdown()`` after the last use. A transport that is released without it closes open connections in the
  /// background.
  public convenience init(
    environment: [String: String]? = nil, trusting authorities: CertificateAuthorities = .system
  ) {
    self.init(
      environment: environment ?? ProcessInfo.processInfo.environment,
      resolver: SystemResolver.addresses, trusting: authorities)
  }

  /// Replaces the parts that tests fake: the name server, the cache's lifetime, and the check for public addresses.
  package init(
    environment: [String: String], resolver: @escaping Resolver,
    addressLifetime: Duration = .seconds(30), maximumClients: Int = 32,
    trusting authorities: CertificateAuthorities = .system,
    isPublic: @escaping @Sendable (IPAddress) -> Bool = \.isPublic
  ) {
    addressBook = AddressBook(resolver: resolver, lifetime: addressLifetime)
    self.isPublic = isPublic
    proxySettings = ProxySettings(environment: environment)
    pool = ClientPool(capacity: maximumClients, trusting: authorities)
  }

  /// Sends a request; throws `network-request-failed` or `CancellationError`.
  public func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    do {
      return try await withinTime(of: request)
    } catch let failure as Failure {
      throw failure.error(host: Destination.printableHost(of: request.url))
    }
  }

  /// Tells whether requests to an address that is not listed as private go through a proxy.
  package func usesProxy(for url: String) -> Bool {
    guard let destination = try? Destination(HTTPRequest(.get, url)) else { return false }
    return proxySettings.choice(for: destination) != .direct
  }

  /// Ends open exchanges with an error and closes all connections; later requests are refused.
  public func shutdown() async throws {
    try await pool.shutdown()
  }

  private func withinTime(of request: HTTPRequest) async throws -> HTTPResponse {
    let deadline = ContinuousClock.now + request.timeout
    return try await withThrowingTaskGroup(of: HTTPResponse.self) { group in
      group.addTask { try await self.exchange(request, until: deadline) }
      group.addTask {
        try await Task.sleep(until: deadline, clock: .continuous)
        throw Failure.timedOut
      }
      defer { group.cancelAll() }
      guard let response = try await group.next() else { throw CancellationError() }
      return response
    }
  }

  private func exchange(
    _ request: HTTPRequest, until deadline: ContinuousClock.Instant
  ) async throws -> HTTPResponse {
    let destination = try Destination(request)
    let exchange = Exchange(
      request: request, url: destination.url, headers: try request.checkedHeaders(),
      routes: try await routes(to: destination), pool: pool, deadline: deadline)
    return try await exchange.run()
  }

  private func routes(to destination: Destination) async throws -> [Route] {
    let choice = proxySettings.choice(for: destination)
    let addresses: [IPAddress]
    switch (destination.host, choice) {
    case (.address(let address), _): addresses = [address]
    case (.name(let name), .direct): addresses = try await addressBook.addresses(of: name)
    case (.name, _): addresses = []
    }
    guard destination.mayBePrivate || addresses.allSatisfy(isPublic) else {
      throw Failure.privateAddress
    }
    switch choice {
    case .unusable: throw Failure.proxySettings
    case .through(let server): return [.proxy(server)]
    case .direct:
      return addresses.prefix(Self.maximumAddresses).map { .pinned(host: destination.host, $0) }
    }
  }
}
