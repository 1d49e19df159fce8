import AuthCore
import Logging
import ServiceLifecycle

/// Removes from the store what nobody needs any more, until the server ends.
struct SweepService: Service {
  let graph: AccountGraph
  let logger: Logger

  func run() async throws {
    let sweeper = Sweeper(graph) { [logger] error in
      // That the store's file is gone was reported when it was noticed.
      if (error as? AuthError)?.cause is StoreFileGone { return }
      logger.error("The store cannot be swept.", metadata: ["error": "\(error)"])
    }
    await cancelWhenGracefulShutdown { await sweeper.run() }
  }
}
