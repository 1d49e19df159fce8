import AsyncHTTPClient
import NIOCore
import NIOPosix
import NIOConcurrencyHelpers

/// Keeps the clients of recently used routes, and with them their open connections.
///
/// Each client is used for one route only, so that no connection is reused for a host whose address was not checked
/// for it. A client that leaves the pool is shut down after its last exchange. All clients run on the process-wide
/// event loops, which are never shut down, so connections can still be closed after the pool is gone.
final class ClientPool: Sendable {
  fileprivate struct Client {
    let http: HTTPClient
    let route: Route
    var uses: Int
    var lastUse: Int
  }

  fileprivate struct State {
    var clients: [Int: Client] = [:]
    var current: [Route: Int] = [:]
    var counter = 0
    var isShutDown = false
  }

  private let capacity: Int
  private let authorities: CertificateAuthorities
  private let state = NIOLockedValueBox(State())

  init(capacity: Int, trusting authorities: CertificateAuthorities) {
    self.capacity = capacity
    self.authorities = authorities
  }

  deinit {
    for client in state.withLockedValue({ $0.clients.values.map(\.http) }) {
      client.shutdown { _ in }
    }
  }

  /// Lends the client of a route, which stays open until the body returns.
  func withClient<Result>(
    for route: Route, _ body: (HTTPClient) async throws -> Result
  ) async throws -> Result {
    let (id, client) = try take(route)
    defer { giveBack(id) }
    return try await body(client)
  }

  /// Sorts routes with a client, and so perhaps an open connection, first.
  func preferringOpen(_ routes: [Route]) -> [Route] {
    state.withLockedValue { state in
      routes.filter { state.current[$0] != nil } + routes.filter { state.current[$0] == nil }
    }
  }

  /// Drops the client of a failed route, so that it is not preferred.
  func drop(_ route: Route) {
    let idle = state.withLockedValue { $0.retire(route) }
    idle?.shutdown { _ in }
  }

  /// Ends all exchanges and closes all connections; a second call has no effect.
  func shutdown() async throws {
    let clients = state.withLockedValue { state in
      state.isShutDown = true
      defer { state.clients = [:] }
      return state.clients.values.map(\.http)
    }
    for client in clients { try await client.shutdown() }
  }

  private func take(_ route: Route) throws -> (Int, HTTPClient) {
    let (result, idle) = try state.withLockedValue { state in
      guard !state.isShutDown else { throw Failure.shutDown }
      state.counter += 1
      if let id = state.current[route], var client = state.clients[id] {
        client.uses += 1
        client.lastUse = state.counter
        state.clients[id] = client
        return ((id, client.http), nil as HTTPClient?)
      }
      let idle = state.current.count >= capacity ? state.retireOldest() : nil
      let id = state.counter
      let http = makeClient(for: route)
      state.clients[id] = Client(http: http, route: route, uses: 1, lastUse: id)
      state.current[route] = id
      return ((id, http), idle)
    }
    idle?.shutdown { _ in }
    return result
  }

  private func giveBack(_ id: Int) {
    let unused = state.withLockedValue { state -> HTTPClient? in
      guard var client = state.clients[id] else { return nil }
      client.uses -= 1
      let isRetired = state.current[client.route] != id
      state.clients[id] = isRetired && client.uses == 0 ? nil : client
      return isRetired && client.uses == 0 ? client.http : nil
    }
    unused?.shutdown { _ in }
  }
}

extension ClientPool.State {
  /// Removes a route's client from use, and returns it if it can be shut down at once.
  fileprivate mutating func retire(_ route: Route) -> HTTPClient? {
    guard let id = current.removeValue(forKey: route), let client = clients[id], client.uses == 0
    else { return nil }
    clients[id] = nil
    return client.http
  }

  fileprivate mutating func retireOldest() -> HTTPClient? {
    let oldest = current.min {
      (clients[$0.value]?.lastUse ?? 0) < (clients[$1.value]?.lastUse ?? 0)
    }
    return oldest.flatMap { retire($0.key) }
  }
}

extension ClientPool {
  private func makeClient(for route: Route) -> HTTPClient {
    var configuration = Self.configuration(for: route)
    configuration.tlsConfiguration = authorities.configuration
    return HTTPClient(
      eventLoopGroup: MultiThreadedEventLoopGroup.singleton, configuration: configuration)
  }

  private static func configuration(for route: Route) -> HTTPClient.Configuration {
    var configuration = HTTPClient.Configuration()
    configuration.redirectConfiguration = .disallow
    configuration.decompression = .disabled
    // A trace would contain the whole URL, and so the secrets in its query.
    configuration.tracing.tracer = nil
    // With HTTP/1 a broken connection costs one exchange, not all that share it.
    configuration.httpVersion = .http1Only
    configuration.timeout.connect = .seconds(5)
    // Shorter than servers keep idle connections, so that a request seldom meets one that just closes.
    configuration.connectionPool.idleTimeout = .seconds(30)
    configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 128
    // Each request decides whether it is repeated, and on which route.
    configuration.connectionPool.retryConnectionEstablishment = false
    switch route {
    case .pinned(.name(let name), let address):
      configuration.dnsOverride = [name: address.description]
    case .pinned(.address, _):
      break
    case .proxy(let server):
      configuration.proxy = proxy(server)
    }
    return configuration
  }

  private static func proxy(_ server: ProxySettings.Server) -> HTTPClient.Configuration.Proxy {
    guard server.kind == .http else {
      return .socksServer(host: server.host, port: server.port)
    }
    let authorization = server.user.map {
      HTTPClient.Authorization.basic(username: $0, password: server.password ?? "")
    }
    return .server(host: server.host, port: server.port, authorization: authorization)
  }
}
