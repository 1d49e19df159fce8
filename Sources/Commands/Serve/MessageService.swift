import AuthCore
import IdentityToolkitService
import ServiceLifecycle

/// Sends messages that another process left in the store, and completes pending ones at the end.
struct MessageService: Service {
  let services: ServerServices

  private static let rest = Duration.seconds(15)
  /// The time for pending messages when the server ends; the rest is sent at the next start.
  private static let draining = Duration.seconds(10)

  func run() async throws {
    await cancelWhenGracefulShutdown {
      while !Task.isCancelled {
        services.courier.wake()
        try? await Task.sleep(for: Self.rest)
      }
    }
    await services.courier.finish(within: Self.draining)
  }
}
