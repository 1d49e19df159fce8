import AuthCore
import IdentityToolkitService
import ServiceLifecycle

/// Looks for messages that another process left in the store, and finishes what is being sent at the end.
struct MessageService: Service {
  let services: ServerServices

  private static let rest = Duration.seconds(15)
  /// How long what is being sent may take when the server ends; the rest is sent when one starts again.
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
