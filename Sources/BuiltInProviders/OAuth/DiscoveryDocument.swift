/// What an issuer says about itself (OpenID Connect Discovery 1.0, RFC 8414).
///
/// The endpoints may be on other hosts than the issuer; requests to them pass the transport's checks as any
/// other.
public struct DiscoveryDocument: Sendable, Hashable {
  public let issuer: String
  public let authorizationEndpoint: String
  public let tokenEndpoint: String
  public let jwksURI: String
  public let userInfoEndpoint: String?
  public let introspectionEndpoint: String?
  public let revocationEndpoint: String?
  /// Whether callbacks name the issuer as `iss` (RFC 9207).
  public let authorizationResponseIssParameterSupported: Bool
  /// `code_challenge_methods_supported`; empty where the issuer says nothing.
  public let codeChallengeMethods: [String]
  /// `token_endpoint_auth_methods_supported`; `client_secret_basic` where the issuer says nothing.
  public let tokenEndpointAuthMethods: [String]
  /// The asymmetric ones of `id_token_signing_alg_values_supported`, in the issuer's order.
  public let signingAlgorithms: [SigningAlgorithm]
}
