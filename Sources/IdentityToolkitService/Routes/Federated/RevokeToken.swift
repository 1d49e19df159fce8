import AuthCore
import IdentityToolkit

extension FederatedHandler {
  /// Revokes a token at the vendor that issued it.
  ///
  /// The identity stays linked.
  func revokeToken() async throws -> Answer {
    let signedIn = try await call.signedIn()
    guard let id = try body.filled("providerId") else { throw WireError("MISSING_PROVIDER_ID") }
    guard let text = try body.filled("token") else {
      throw WireError("INVALID_ARGUMENT", "A token to revoke is needed.")
    }
    let provider = try graph.providers.vendor(ProviderID(id.lowercased())).id
    guard !signedIn.account.identities(of: provider).isEmpty else {
      throw WireError("INVALID_PROVIDER_ID", "The account has no identity of \(provider.rawValue).")
    }
    let kinds = ["TOKEN_TYPE_UNSPECIFIED", "REFRESH_TOKEN", "ACCESS_TOKEN", "CODE"]
    var kind = try body.choice("tokenType", kinds) ?? ""
    // Apple's client sends the number as text.
    if let number = Int(kind), kinds.indices.contains(number) { kind = kinds[number] }
    let token: RevocationToken
    switch kind {
    case "REFRESH_TOKEN": token = .refreshToken(Secret(text))
    case "ACCESS_TOKEN": token = .accessToken(Secret(text))
    case "CODE":
      token = .authorizationCode(Secret(text), redirectURI: try body.filled("redirectUri"))
    default:
      throw WireError("INVALID_ARGUMENT", "tokenType is REFRESH_TOKEN, ACCESS_TOKEN or CODE.")
    }
    var caller = signedIn.caller
    caller.client = client
    try await graph.revokeToken(token, of: provider, by: caller)
    return .json(.object([:]))
  }

  /// Refuses to issue a SAML response, because this project is no SAML identity provider.
  func issueSamlResponse() async throws -> Answer {
    throw WireError("OPERATION_NOT_ALLOWED", "This project issues no SAML responses.")
  }

  /// Refuses the verification of an app by silent push, after which clients fall back to reCAPTCHA.
  func verifyIOSClient() async throws -> Answer {
    guard try body.filled("appToken") != nil else { throw WireError("MISSING_IOS_APP_TOKEN") }
    throw WireError("INVALID_APP_CREDENTIAL", "No push notifications are sent here.")
  }
}
