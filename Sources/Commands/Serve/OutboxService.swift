import AuthCore
import BuiltInProviders
import Logging
import ServiceLifecycle

/// Tells a web service what happened to accounts, until the server ends.
struct OutboxService: Service {
  private let worker: OutboxWorker
  private let logger: Logger

  /// How long nothing is tried where the store cannot be read.
  private static let pause = Duration.seconds(10)

  init(
    store: any AccountStore, transport: any HTTPTransport, webhook: Configuration.Webhook,
    logger: Logger
  ) {
    // Whoever runs this chose the service, so it may be one of their own.
    let sink = WebhookOutboxSink(
      transport: transport, url: webhook.url, secret: webhook.secret,
      privateHosts: URLText.host(of: webhook.url).map { [$0] } ?? [])
    worker = OutboxWorker(store: store, sink: LoggedSink(sink: sink, logger: logger))
    self.logger = logger
  }

  /// Has the store keep events for the web service, before the server's first request.
  func register() async throws { try await worker.register() }

  func run() async throws {
    await cancelWhenGracefulShutdown {
      while !Task.isCancelled {
        do {
          if try await worker.deliverOnce() == 0 { try await Task.sleep(for: .seconds(1)) }
        } catch is CancellationError {
          return
        } catch let error as AuthError where error.cause is StoreFileGone {
          // It was said when it was noticed.
          try? await Task.sleep(for: Self.pause)
        } catch {
          logger.error("The outbox cannot be read.", metadata: ["error": "\(error)"])
          try? await Task.sleep(for: Self.pause)
        }
      }
    }
  }
}

/// Writes to the log what could not be delivered; it comes again later.
private struct LoggedSink: OutboxSink {
  let sink: any OutboxSink
  let logger: Logger

  func deliver(_ event: AuditEvent) async throws {
    do {
      try await sink.deliver(event)
    } catch {
      if !Task.isCancelled {
        logger.warning(
          "An event could not be delivered.",
          metadata: ["event": "\(event.id)", "error": "\(error)"])
      }
      throw error
    }
  }
}
