import AuthCore
import Logging
import ServiceLifecycle

/// Removes expired data from the store, until the server ends.
struct SweepService: Service {
  let graph: AccountGraph
  let logger: Logger

  func run() async throws {
    let sweeper = Sweeper(graph) { [logger] error in
      // The loss of the store's file was already reported.
      if (error as? AuthError)?.cause is StoreFileGone { return }
      logger.error("The store cannot be swept.", metadata: ["error": "\(error)"])
    }
    await cancelWhenGracefulShutdown { await sweeper.run() }
  }
}
