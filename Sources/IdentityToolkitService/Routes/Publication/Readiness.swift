import AuthCore
import IdentityToolkit
import SessionTokens

extension PublicationHandler {
  /// Whether requests can be answered now: the store reads and takes changes, and there is a key to sign with.
  func readiness() async -> Answer {
    do {
      // It writes, or did a moment ago; a read would wait for a database that went away since.
      if let store = graph.store as? any WriteChecking {
        try await store.checkWriting()
      } else {
        _ = try await settings()
      }
      try await behavior.checkKeys(services, project: project)
      return .json(["status": "ready"])
    } catch let outage as StoreOutage {
      // That the store's file is gone was said when it was noticed.
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
