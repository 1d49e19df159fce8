import AuthCore
import IdentityToolkit
import SessionTokens

/// The token endpoint of service accounts: OAuth 2.0 with a JWT as the grant (RFC 6749, RFC 7523).
struct AccessTokenHandler: RequestHandler {
  let call: Call

  private static let grantType = "urn:ietf:params:oauth:grant-type:jwt-bearer"
  /// The endpoint's name in SDKs that do not read it from the file.
  private static let googleAudience = "https://oauth2.googleapis.com/token"
  private static let noStore = ["Cache-Control": "no-store", "Pragma": "no-cache"]

  /// `POST /token`: returns an access token for a signed assertion.
  func grant() async throws -> Answer {
    guard let grantType = try body.filled("grantType") else {
      return Self.refusal("invalid_request", "The field grant_type is missing.")
    }
    guard grantType == Self.grantType else {
      return Self.refusal("unsupported_grant_type", "The only grant is \(Self.grantType).")
    }
    guard body.members["targetAudience"] == nil else {
      return Self.refusal(
        "invalid_request",
        "ID tokens of service accounts are not issued. Leave target_audience out.")
    }
    guard let assertion = try body.filled("assertion") else {
      return Self.refusal("invalid_request", "The field assertion is missing.")
    }
    do {
      let settings = services.settings
      let grant = try await services.adminTokens.grant(
        assertion,
        audiences: [settings.publicURL + ServiceAccountFile.tokenPath, Self.googleAudience],
        projects: settings.served(first: nil))
      return .json(
        [
          "access_token": .string(grant.token.reveal()), "token_type": "Bearer",
          "expires_in": .integer(grant.lifetime),
          "scope": .string(grant.scopes.map(\.rawValue).sorted().joined(separator: " ")),
        ], headers: Self.noStore)
    } catch let error as AuthError {
      guard let code = Self.code(of: error) else { throw error }
      return Self.refusal(
        code, [error.message, error.remedy].compactMap(\.self).joined(separator: " "))
    }
  }

  /// Returns the protocol's code of a refused assertion; nil for errors of the server.
  private static func code(of error: AuthError) -> String? {
    switch error.code {
    case .invalidCredential: "invalid_grant"
    case .invalidArgument: "invalid_scope"
    default: nil
    }
  }

  private static func refusal(_ code: String, _ description: String) -> Answer {
    .json(
      ["error": .string(code), "error_description": .string(description)], status: 400,
      headers: noStore)
  }
}
