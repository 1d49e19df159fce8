import AuthCore
import AuthServer
import Foundation
import HTTPClientTransport
import IdentityToolkitService
import Logging
import LuaPlugins
import NIOCore
import ServiceLifecycle
import Synchronization
import Tracing

/// Runs a server from its start to its end, with all of its services.
struct ServerRun: Sendable {
  let configuration: Configuration
  let folders: EmulatorFolders
  /// Reads the configuration again, and returns its problems.
  let reread: @Sendable () -> (Configuration, [ConfigurationFinding])
  let logSettings: LogSettings
  let signals: ServerSignals

  /// The time for running requests when the server ends.
  private static let draining = Duration.seconds(20)

  /// Serves until a signal ends it.
  func callAsFunction() async throws {
    let logSettings = logSettings
    let logger = Logger(label: "authgraph") { label in
      ServerLogHandler(label: label, settings: logSettings)
    }
    var http = configuration.http
    var reserved: ReservedPort?
    if http.port == 0, configuration.publicURL == nil {
      // Links begin with the port, so it has to be known before the first request.
      let port = try ReservedPort(host: http.host)
      http.port = port.number
      reserved = port
    }
    defer { reserved?.release() }
    http.certificate = try configuration.certificate()
    if configuration.logsSpans { InstrumentationSystem.bootstrap(LogTracer(logger: logger)) }
    let publicURL = configuration.publicURL ?? Self.ownURL(http)
    let assembly = try ServerAssembly(configuration, publicURL: publicURL, logger: logger)
    try await assembly.prepare(configuration, logger: logger)
    try await folders.load(configuration, assembly.services, logger)
    let end = ShutdownRequest()
    let (mode, isSecure) = (configuration.mode, http.certificate != nil)
    let server = AuthServer(
      services: assembly.services, configuration: http, logger: logger
    ) { [reserved] address in
      reserved?.release()
      Self.tellReady(address, isSecure: isSecure, mode)
    }
    let reloading = Reloading(
      run: self, assembly: assembly, certificate: http.certificate, logger: logger, end: end)
    var group = ServiceGroupConfiguration(
      services: [
        .init(
          service: PluginWatching(plugins: assembly.plugins, logger: logger)),
        // Started before the server, so that it ends after the server.
        .init(service: MessageService(services: assembly.services)),
        .init(service: ConsoleService(consoles: assembly.consoles)),
        .init(service: SweepService(graph: assembly.services.graph, logger: logger)),
        .init(service: reloading, successTerminationBehavior: .gracefullyShutdownGroup),
      ], logger: logger)
    if let store = assembly.store as? any FileBackedStore {
      group.services.append(.init(service: StoreWatching(store: store, logger: logger)))
    }
    if let sharing = assembly.sharing {
      group.services.append(.init(service: SharingService(sharing: sharing)))
    }
    if let webhook = configuration.outbox {
      let outbox = OutboxService(
        store: assembly.store, transport: assembly.transport, webhook: webhook, logger: logger)
      try await outbox.register()
      group.services.append(.init(service: outbox))
    }
    group.services.append(.init(service: server))
    group.maximumGracefulShutdownDuration = Self.draining
    do {
      try await ServiceGroup(configuration: group).run()
    } catch {
      guard end.wasAsked else { throw Self.readable(error, http) }
      logger.warning("Ended with requests still open.")
      return try await folders.save(configuration, assembly.services, logger)
    }
    try await folders.save(configuration, assembly.services, logger)
    try? await assembly.transport.shutdown()
    logger.info("Ended.")
  }

  static func ownURL(_ http: HTTPConfiguration) -> String {
    let host = http.host.contains(":") ? "[\(http.host)]" : http.host
    return "\(http.certificate == nil ? "http" : "https")://\(host):\(http.port)"
  }

  private static func tellReady(_ address: SocketAddress, isSecure: Bool, _ mode: ServerMode) {
    let host = address.ipAddress.map { $0.contains(":") ? "[\($0)]" : $0 } ?? "localhost"
    let port = address.port.map { ":\($0)" } ?? ""
    StandardStreams.warn(
      "AuthGraph listens on \(isSecure ? "https" : "http")://\(host)\(port) (\(mode.rawValue))")
  }

  private static func readable(_ error: any Error, _ http: HTTPConfiguration) -> AuthError {
    if let error = error as? AuthError { return error }
    if let error = error as? IOError, error.errnoCode == EADDRINUSE {
      return AuthError(
        .invalidArgument, "The port \(http.port) of \(http.host) is taken.", field: "port",
        remedy:
          "End the program that uses it, choose another port with --port, or any with --port 0.",
        cause: error)
    }
    if let error = error as? IOError {
      return AuthError(
        .invalidArgument,
        "\(http.host):\(http.port) cannot be listened on: \(String(cString: strerror(error.errnoCode))).",
        field: "listen", remedy: "Choose an address of this machine and a port that is allowed.",
        cause: error)
    }
    return AuthError(
      .internalError, "The server ended with an error: \(error)",
      remedy: "Check certificate, key and address.", cause: error)
  }
}

/// A flag that is set once a shutdown is requested.
final class ShutdownRequest: Sendable {
  private let asked = Atomic(false)

  var wasAsked: Bool { asked.load(ordering: .acquiring) }

  func ask() { asked.store(true, ordering: .releasing) }
}

/// Watches plug-ins for changes, until the server ends.
struct PluginWatching: Service {
  let plugins: PluginSet
  let logger: Logger

  func run() async throws {
    await cancelWhenGracefulShutdown {
      await plugins.watch { news in news.tell(logger) }
    }
  }
}

/// Coordinates the server with others on its store, until the server ends.
struct SharingService: Service {
  let sharing: ServerSharing

  func run() async throws {
    await cancelWhenGracefulShutdown { await sharing.run() }
  }
}
