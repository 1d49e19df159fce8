import AuthCore
import IdentityToolkit
import SessionTokens

/// Keys and metadata for verifiers of tokens, and the readiness check.
struct PublicationHandler: RequestHandler {
  let call: Call

  /// Returns the certificates of the signing keys, by key ID.
  func certificates(_ use: KeyUse) async throws -> Answer {
    let publication = services.tokens.publication
    return .json(
      try await publication.certificates(use, project: project),
      headers: ["Cache-Control": publication.cacheControl])
  }

  /// Returns the signing keys as a JWK set.
  func keySet(_ use: KeyUse) async throws -> Answer {
    let publication = services.tokens.publication
    return .json(
      try await publication.keySet(use, project: project),
      headers: ["Cache-Control": publication.cacheControl])
  }

  /// Returns the issuer's metadata (OpenID Connect Discovery 1.0).
  func discovery() async throws -> Answer {
    let publication = services.tokens.publication
    return .json(
      publication.discovery(
        project: project, keySetURL: "\(services.settings.publicURL)/.well-known/jwks.json"),
      headers: ["Cache-Control": publication.cacheControl])
  }
}
