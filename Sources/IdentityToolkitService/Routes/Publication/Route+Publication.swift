import AuthCore
import SessionTokens

extension Route {
  /// The documents for verifiers of tokens and for monitoring.
  static let publication: [Route] = [
    Route(
      .get, "/robot/v1/metadata/x509/securetoken@system.gserviceaccount.com", of: .own,
      access: .open,
      name: "authgraph.keys.certificates", modes: [.production]
    ) { try await PublicationHandler($0).certificates(.idToken) },
    Route(
      .get, "/service_accounts/v1/jwk/securetoken@system.gserviceaccount.com", of: .own,
      access: .open, name: "authgraph.keys.jwks", modes: [.production]
    ) { try await PublicationHandler($0).keySet(.idToken) },
    Route(
      .get, "/.well-known/jwks.json", of: .own, access: .open, name: "authgraph.keys.jwks",
      modes: [.production]
    ) { try await PublicationHandler($0).keySet(.idToken) },
    Route(
      .get, "/.well-known/openid-configuration", of: .own, access: .open,
      name: "authgraph.keys.discovery", modes: [.production]
    ) { try await PublicationHandler($0).discovery() },
    Route(
      .get, "/v1/publicKeys", access: .open, name: "identitytoolkit.relyingparty.publicKeys",
      modes: [.production]
    ) { try await PublicationHandler($0).certificates(.sessionCookie) },
    Route(
      .get, "/v1/sessionCookiePublicKeys", access: .open,
      name: "identitytoolkit.getSessionCookiePublicKeys"
    ) { try await PublicationHandler($0).keySet(.sessionCookie) },
    Route(.get, "/", of: .own, access: .open, name: "ready") { .json($0.behavior.frontPage) },
    Route(.get, "/health", of: .own, access: .open, name: "authgraph.health", isProbe: true) { _ in
      .json(["status": "ok"])
    },
    Route(.get, "/ready", of: .own, access: .open, name: "authgraph.ready", isProbe: true) {
      await PublicationHandler($0).readiness()
    },
    Route(
      .get, "/metrics", of: .own, access: .metrics, name: "authgraph.metrics",
      scope: AdminScope.server.rawValue
    ) { call in
      .text(
        call.services.telemetry.metrics.text(), type: "text/plain; version=0.0.4; charset=utf-8")
    },
  ]
}
