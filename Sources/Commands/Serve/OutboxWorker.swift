import AuthCore
import Crypto
import Foundation
import Logging
import ServiceLifecycle

/// Tells a web service what happened to accounts: every audit event, at least once.
///
/// It POSTs the event as JSON, signed in the header `Authgraph-Signature` like messages are, with the event's ID as
/// `Idempotency-Key`. An answer other than 2xx is tried again later and later, and given up after a day; then
/// an admin has to look after it.
struct OutboxWorker: Service {
  private let store: any AccountStore
  private let transport: any HTTPTransport
  private let webhook: Configuration.Webhook
  private let logger: Logger
  private let clock: @Sendable () -> Timestamp

  /// How many events are taken at once.
  private static let batch = 20
  /// For how many seconds nobody else takes what was taken here.
  private static let lease: Int64 = 60
  /// The attempts after which an event is given up: the waits between them are a day together.
  private static let mostAttempts = 30

  init(
    store: any AccountStore, transport: any HTTPTransport, webhook: Configuration.Webhook,
    logger: Logger, clock: @escaping @Sendable () -> Timestamp = Timestamp.now
  ) {
    self.store = store
    self.transport = transport
    self.webhook = webhook
    self.logger = logger
    self.clock = clock
  }

  func run() async throws {
    await cancelWhenGracefulShutdown {
      while !Task.isCancelled {
        do {
          if try await deliverOnce() == 0 { try await Task.sleep(for: .seconds(1)) }
        } catch is CancellationError {
          return
        } catch {
          logger.error(
            "The outbox cannot be read.", metadata: ["error": "\(String(reflecting: error))"])
          try? await Task.sleep(for: .seconds(10))
        }
      }
    }
  }

  /// Delivers what is due now, and gives how much that was.
  private func deliverOnce() async throws -> Int {
    let now = clock()
    let due = try await store.write { writer in
      try writer.deliveries(dueBy: now, limit: Self.batch).map { delivery in
        var taken = delivery
        taken.attempts += 1
        taken.nextAttemptAt = now.adding(seconds: Self.lease)
        try writer.save(taken)
        return taken
      }
    }
    for delivery in due { try await deliver(delivery) }
    return due.count
  }

  private func deliver(_ delivery: OutboxDelivery) async throws {
    do {
      try await send(delivery.event)
      try await store.write { try $0.removeDelivery(delivery.event.sequence) }
    } catch let error as CancellationError {
      throw error
    } catch {
      var later = delivery
      later.isDead = delivery.attempts >= Self.mostAttempts
      later.nextAttemptAt = clock().adding(seconds: Self.wait(after: delivery.attempts))
      let saved = later
      try await store.write { try $0.save(saved) }
      logger.log(
        level: later.isDead ? .error : .warning,
        later.isDead ? "An event was given up." : "An event could not be delivered.",
        metadata: [
          "event": "\(delivery.event.id)", "attempts": "\(delivery.attempts)", "error": "\(error)",
        ])
    }
  }

  /// Twice as long each time, an hour at most.
  private static func wait(after attempts: Int) -> Int64 {
    min(3600, Int64(1) << Int64(min(attempts, 12)))
  }

  private func send(_ event: AuditEvent) async throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let body = String(decoding: try encoder.encode(event), as: UTF8.self)
    let seconds = clock().milliseconds / 1000
    let code = HMAC<SHA256>.authenticationCode(
      for: Data("\(seconds).\(body)".utf8),
      using: SymmetricKey(data: Data(webhook.secret.reveal().utf8)))
    let digits = code.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    var request = HTTPRequest(
      .post, webhook.url,
      headers: [
        ("Content-Type", "application/json"),
        ("Authgraph-Signature", "t=\(seconds),v1=\(digits)"), ("Idempotency-Key", event.id),
      ], body: Array(body.utf8))
    // Whoever runs this chose the service, so it may be one of their own.
    request.privateHosts = URLText.host(of: webhook.url).map { [$0] } ?? []
    let response = try await transport.send(request)
    guard (200..<300).contains(response.status) else {
      throw AuthError(
        .networkRequestFailed, "The service of the outbox answered \(response.status).")
    }
  }
}
