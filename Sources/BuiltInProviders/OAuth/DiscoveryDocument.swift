import AuthCore

/// What an OpenID provider publishes about itself (OpenID Connect Discovery 1.0, RFC 8414).
public struct DiscoveryDocument: Sendable, Hashable {
  public let issuer: String
  public let authorizationEndpoint: String
  public let tokenEndpoint: String
  public let jwksURI: String
  public let userInfoEndpoint: String?
  public let introspectionEndpoint: String?
  public let revocationEndpoint: String?
  /// Whether callbacks name the issuer (RFC 9207).
  public let authorizationResponseIssParameterSupported: Bool
  public let codeChallengeMethods: [String]
  public let tokenEndpointAuthMethods: [String]
  public let signingAlgorithms: [SigningAlgorithm]

  /// Reads a document.
  ///
  /// Throws `network-request-failed` where its issuer is not exactly the configured one, or an endpoint is
  /// missing or without TLS on a host that is not private by configuration. Endpoints may be on other hosts, as
  /// with Google; the transport checks every address that it connects to.
  init(_ json: JSONValue, issuer: String, privateHosts: [String]) throws(AuthError) {
    func text(_ name: String) -> String? { json[name]?.stringValue }
    func list(_ name: String) -> [String] {
      guard case .array(let values)? = json[name] else { return [] }
      return values.compactMap(\.stringValue)
    }
    func optional(_ name: String) throws(AuthError) -> String? {
      guard let url = text(name), !url.isEmpty else { return nil }
      let isPrivate = URLText.host(of: url).map { host in
        privateHosts.contains(host) || privateHosts.contains { host.hasPrefix("\($0):") }
      }
      guard url.hasPrefix("https://") || (url.hasPrefix("http://") && isPrivate == true) else {
        throw Self.refused("its \(name) is no https address", issuer)
      }
      return url
    }
    func required(_ name: String) throws(AuthError) -> String {
      guard let url = try optional(name) else { throw Self.refused("it has no \(name)", issuer) }
      return url
    }
    guard text("issuer") == issuer else {
      throw Self.refused("it is another issuer's", issuer)
    }
    self.issuer = issuer
    authorizationEndpoint = try required("authorization_endpoint")
    tokenEndpoint = try required("token_endpoint")
    jwksURI = try required("jwks_uri")
    userInfoEndpoint = try optional("userinfo_endpoint")
    introspectionEndpoint = try optional("introspection_endpoint")
    revocationEndpoint = try optional("revocation_endpoint")
    authorizationResponseIssParameterSupported =
      json["authorization_response_iss_parameter_supported"] == .bool(true)
    codeChallengeMethods = list("code_challenge_methods_supported")
    tokenEndpointAuthMethods = list("token_endpoint_auth_methods_supported")
    signingAlgorithms = list("id_token_signing_alg_values_supported")
      .compactMap { SigningAlgorithm(rawValue: $0) }
  }

  private static func refused(_ why: String, _ issuer: String) -> AuthError {
    AuthError(
      .networkRequestFailed,
      "The discovery document of \(URLText.host(of: issuer) ?? "the issuer") is refused: \(why).",
      field: "issuer",
      remedy: "Check that the configured issuer is letter for letter the provider's own.",
      step: .credential)
  }
}
