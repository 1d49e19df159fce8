import AuthCore
import BuiltInProviders
import Logging
import ServiceLifecycle

/// Sends account events to a web service, until the server ends.
struct OutboxService: Service {
  private let worker: OutboxWorker
  private let logger: Logger

  /// The pause after the store could not be read.
  private static let pause = Duration.seconds(10)

  init(
    store: any AccountStore, transport: any HTTPTransport, webhook: Configuration.Webhook,
    logger: Logger
  ) {
    // The admin chose the service, so it may be on a private host.
    let sink = WebhookOutboxSink(
      transport: transport, url: webhook.url, secret: webhook.secret,
      privateHosts: URLText.host(of: webhook.url).map { [$0] } ?? [])
    worker = OutboxWorker(store: store, sink: LoggedSink(sink: sink, logger: logger))
    self.logger = logger
  }

  /// Registers the web service, so that the store keeps events for it; before the server's first request.
  func register() async throws { try await worker.register() }

  func run() async throws {
    await cancelWhenGracefulShutdown {
      while !Task.isCancelled {
        do {
          if try await worker.deliverOnce() == 0 { try await Task.sleep(for: .seconds(1)) }
        } catch is CancellationError {
          return
        } catch let error as AuthError where error.cause is StoreFileGone {
          // The loss of the file was already reported.
          try? await Task.sleep(for: Self.pause)
        } catch {
          logger.error("The outbox cannot be read.", metadata: ["error": "\(error)"])
          try? await Task.sleep(for: Self.pause)
        }
      }
    }
  }
}

/// Logs events that could not be delivered; delivery is repeated later.
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
