import AuthCore
import IdentityToolkit
import SessionTokens

extension Call {
  /// Whether requests can be answered now: the store reads, and there is a key to sign with.
  func readiness() async -> Answer {
    do {
      _ = try await settings()
      if services.mode == .production {
        _ = try await services.tokens.publication.keySet(.idToken, project: project)
      }
      return .json(["status": "ready"])
    } catch {
      services.watch.fault(error, in: "authgraph.ready")
      return .json(["status": "unavailable"], status: 503)
    }
  }
}
