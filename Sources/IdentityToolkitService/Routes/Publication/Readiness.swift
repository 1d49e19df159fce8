import AuthCore
import IdentityToolkit
import SessionTokens

extension Call {
  /// Whether requests can be answered now: the store reads, its file is in its place, and there is a key to sign with.
  func readiness() async -> Answer {
    do {
      if let store = graph.store as? any FileBackedStore { try store.checkFile() }
      _ = try await settings()
      if services.mode == .production {
        _ = try await services.tokens.publication.keySet(.idToken, project: project)
      }
      return .json(["status": "ready"])
    } catch let error as AuthError where error.cause is StoreFileGone {
      return .json(["status": "unavailable", "reason": "store-file-gone"], status: 503)
    } catch {
      services.watch.fault(error, in: "authgraph.ready")
      return .json(["status": "unavailable"], status: 503)
    }
  }
}
