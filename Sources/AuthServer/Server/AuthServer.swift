import Foundation
import HTTPTypes
import HummingbirdCore
import HummingbirdHTTP2
import HummingbirdTLS
public import IdentityToolkitService
public import Logging
public import NIOCore
import NIOPosix
import NIOSSL
public import ServiceLifecycle

/// A server of the protocol over HTTP, which runs until it is stopped and then finishes the requests under way.
///
/// Start here. Continue with `Dispatcher` (the path of a request) and `Route.all` (all operations), both in
/// IdentityToolkitService, which knows no sockets.
public struct AuthServer: Service {
  private let services: ServerServices
  private let configuration: HTTPConfiguration
  private let logger: Logger
  private let onListening: @Sendable (SocketAddress) async -> Void

  /// Makes a server, which opens nothing before it runs.
  ///
  /// `onListening` is called with the address once the server accepts connections.
  public init(
    services: ServerServices, configuration: HTTPConfiguration, logger: Logger,
    onListening: @escaping @Sendable (SocketAddress) async -> Void = { _ in }
  ) {
    self.services = services
    self.configuration = configuration
    self.logger = logger
    self.onListening = onListening
  }

  /// Listens and answers until the service group shuts down; throws if the address cannot be bound.
  public func run() async throws {
    let clients = Clients()
    let adapter = HTTPAdapter(
      dispatcher: Dispatcher(services, isPublic: isPublic), services: services,
      configuration: configuration, clients: clients, logger: logger)
    let server = try builder(clients).buildServer(
      configuration: ServerConfiguration(
        address: .hostname(configuration.host, port: configuration.port),
        availableConnectionsDelegate: MaximumAvailableConnections(
          configuration.maximumConnections)),
      eventLoopGroup: MultiThreadedEventLoopGroup.singleton, logger: logger,
      responder: { request, writer, channel in
        let response = try await adapter.respond(to: request, over: channel)
        try await writer.write(response: response.head, body: response.body)
      },
      onServerRunning: { channel in
        if let address = channel.localAddress { await onListening(address) }
      })
    // Connections are accepted on this thread, however busy the others are.
    let door = LoopExecutor(MultiThreadedEventLoopGroup.singleton.any())
    try await withTaskExecutorPreference(door) { try await server.run() }
  }

  /// True if other machines may reach the server, directly or through a proxy.
  private var isPublic: Bool {
    !LoopbackHost.isOne(configuration.host)
      || !LoopbackHost.isHost(ofURL: services.settings.publicURL)
  }

  /// Returns HTTP/1.1 without TLS; with TLS also HTTP/2 if the configuration offers it.
  private func builder(_ clients: Clients) throws -> HTTPServerBuilder {
    let seconds = configuration.idleSeconds
    let plain = HTTP1Channel.Configuration(
      additionalChannelHandlers: [
        HostChecking(), RequestDeadline(seconds: seconds), clients.watch(),
      ],
      idleTimeout: .seconds(seconds))
    let counts = configuration.connectionsPerAddress.map {
      ConnectionCounts(limit: $0, settings: services.live, logger: logger)
    }
    guard let tls = configuration.certificate?.configuration() else {
      return HTTPServerBuilder { responder in
        Door(
          connections: HTTP1Channel(responder: responder, configuration: plain), counts: counts)
      }
    }
    guard configuration.offersHTTP2 else {
      return HTTPServerBuilder { responder in
        Door(
          connections: TimelyHandshakes(
            connections: try TLSChannel(
              HTTP1Channel(responder: responder, configuration: plain), tlsConfiguration: tls),
            seconds: seconds), counts: counts)
      }
    }
    return HTTPServerBuilder { responder in
      Door(
        connections: TimelyHandshakes(
          connections: try HTTP2UpgradeChannel(
            tlsConfiguration: tls,
            configuration: HTTP2UpgradeChannel.Configuration(
              idleTimeout: .seconds(seconds), gracefulCloseTimeout: .seconds(5),
              streamConfiguration: plain),
            responder: responder),
          seconds: seconds), counts: counts)
    }
  }
}
