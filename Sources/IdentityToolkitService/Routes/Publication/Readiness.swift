import AuthCore
import IdentityToolkit
import SessionTokens

extension PublicationHandler {
  /// Answers 200 if requests can be served: the store reads and writes, and there is a signing key.
  func readiness() async -> Answer {
    do {
      // The check is a write, made now or a moment ago. A read would hang if the database has gone away.
      if let store = graph.store as? any WriteChecking {
        try await store.checkWriting()
      } else {
        _ = try await settings()
      }
      try await behavior.checkKeys(services, project: project)
      return .json(["status": "ready"])
    } catch let outage as StoreOutage {
      // The loss of the store's file was reported when it was noticed.
      if outage.reason != .fileGone {
        services.telemetry.fault(outage.error, in: "authgraph.ready")
      }
      return .json(
        ["status": "unavailable", "reason": .string(outage.reason.description)], status: 503)
    } catch {
      services.telemetry.fault(error, in: "authgraph.ready")
      return .json(["status": "unavailable"], status: 503)
    }
  }
}
