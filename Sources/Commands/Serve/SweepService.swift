import AuthCore
import Logging
import ServiceLifecycle

/// Removes what the store keeps of deleted accounts when its time is over, until the server ends.
struct SweepService: Service {
  let graph: AccountGraph
  let logger: Logger

  private static let rest = Duration.seconds(3600)

  func run() async throws {
    await cancelWhenGracefulShutdown {
      while !Task.isCancelled {
        do {
          try await graph.sweepMerges()
        } catch is CancellationError {
          return
        } catch let error as AuthError where error.cause is StoreFileGone {
          // It was reported when it was noticed.
        } catch {
          logger.error("The journal of merges cannot be swept.", metadata: ["error": "\(error)"])
        }
        try? await Task.sleep(for: Self.rest)
      }
    }
  }
}
