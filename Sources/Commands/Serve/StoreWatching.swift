import AuthCore
import Logging
import ServiceLifecycle

/// Logs when the store's file disappears and when it returns, until the server ends.
struct StoreWatching: Service {
  let store: any FileBackedStore
  let logger: Logger

  /// The time between two checks, for a server without writes.
  private static let pause = Duration.seconds(2)

  func run() async throws {
    let changes = store.fileChanges()
    await cancelWhenGracefulShutdown {
      await withTaskGroup(of: Void.self) { group in
        group.addTask {
          for await refusal in changes { tell(refusal) }
        }
        group.addTask {
          while !Task.isCancelled {
            // The other task reports the result.
            try? store.checkFile()
            try? await Task.sleep(for: Self.pause)
          }
        }
        await group.waitForAll()
      }
    }
  }

  private func tell(_ refusal: AuthError?) {
    if let refusal {
      logger.critical(
        "The store takes no writes until its file is back.", metadata: ["error": "\(refusal)"])
    } else {
      logger.notice("The store's file is back, and takes writes again.")
    }
  }
}
