import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdCore
import HummingbirdHTTP2
import HummingbirdTLS
public import Logging
public import NIOCore
import NIOSSL
public import ServiceLifecycle

/// Serves the protocol over HTTP until it is told to end, and then finishes what it has begun.
///
/// Start here, then read ``Dispatcher`` (what happens to a request) and `Route.all` (what there is).
public struct AuthServer: Service {
  private let services: ServerServices
  private let configuration: HTTPConfiguration
  private let logger: Logger
  private let onListening: @Sendable (SocketAddress) async -> Void

  /// Makes a server; nothing is opened before it runs.
  ///
  /// `onListening` is told the address once connections are taken.
  public init(
    services: ServerServices, configuration: HTTPConfiguration, logger: Logger,
    onListening: @escaping @Sendable (SocketAddress) async -> Void = { _ in }
  ) {
    self.services = services
    self.configuration = configuration
    self.logger = logger
    self.onListening = onListening
  }

  public func run() async throws {
    let responder = HTTPAdapter(dispatcher: Dispatcher(services), configuration: configuration)
    let application = Application(
      responder: responder, server: try builder(),
      configuration: ApplicationConfiguration(
        address: .hostname(configuration.host, port: configuration.port), serverName: nil),
      onServerRunning: { channel in
        if let address = channel.localAddress { await onListening(address) }
      },
      logger: logger)
    try await application.run()
  }

  private func builder() throws -> HTTPServerBuilder {
    guard let files = configuration.tls else { return .http1() }
    let certificates = try NIOSSLCertificate.fromPEMFile(files.certificatePath)
    let key = try NIOSSLPrivateKey(file: files.keyPath, format: .pem)
    var tls = TLSConfiguration.makeServerConfiguration(
      certificateChain: certificates.map { .certificate($0) }, privateKey: .privateKey(key))
    tls.minimumTLSVersion = .tlsv12
    return configuration.offersHTTP2
      ? try .http2Upgrade(tlsConfiguration: tls) : try .tls(.http1(), tlsConfiguration: tls)
  }
}
