package import AuthCore

/// The revocation of tokens at a vendor.
package enum Revocation: Sendable {
  /// RFC 7009, at this address or that of the discovery document.
  case standard(URLTemplate?)
  /// A request with each token of the grant; `isRefresh` is true for a refresh token.
  case each(@Sendable (Secret<String>, _ isRefresh: Bool, any ProviderSession) async throws -> Void)
  /// The vendor's own way, for a code too.
  case function(@Sendable (RevocationToken, any ProviderSession) async throws -> Void)

  /// A request that revokes with any status from 200 to 299.
  package static func request(_ template: RequestTemplate) -> Revocation {
    .each { token, _, session in
      let request = try session.request(template, at: "revocation", with: token)
      let exchange = VendorExchange(transport: session.network, step: .exchange)
      let response = try await exchange.send(request)
      guard !(200..<300).contains(response.status) else { return }
      throw OAuthAnswer(exchange: exchange, request: request, secrets: []).refusal(
        "refuses to revoke the token (HTTP \(response.status))", "token")
    }
  }

  /// A request with an access token that the vendor confirms with a true member; there are no refresh tokens.
  static func confirmed(
    by member: String, _ template: RequestTemplate, at endpoint: String,
    values: @escaping @Sendable (Secret<String>, any ProviderSession) throws -> [String: String]
  ) -> Revocation {
    .each { token, isRefresh, session in
      guard !isRefresh else {
        throw AuthError(
          .operationNotAllowed, "The vendor has no refresh tokens.", field: "refreshToken",
          remedy: "Revoke an access token.", step: .token)
      }
      let answer = try await session.ask(
        template, at: endpoint, with: token, filling: try values(token, session), step: .token)
      guard answer[member] == true else {
        throw AuthError(
          .networkRequestFailed, "The vendor did not confirm that the grant is gone.",
          remedy: "Try again.", step: .token)
      }
    }
  }
}

/// The renewal of identities with refresh tokens.
package enum Renewal: Sendable {
  case standard
  case function(@Sendable (Secret<String>, any ProviderSession) async throws -> VerifiedIdentity)
}

/// The check that an access token was issued to our app; returns its subject, if the vendor names it.
///
/// Another app's token describes the person just as well, and that app's operator knows it.
package struct AppCheck: Sendable {
  package let subject: @Sendable (Secret<String>, any ProviderSession) async throws -> String?
  /// True if tokens that came for a code are checked too.
  package var includesCodes = false

  package init(
    _ subject: @escaping @Sendable (Secret<String>, any ProviderSession) async throws -> String?
  ) { self.subject = subject }
}
