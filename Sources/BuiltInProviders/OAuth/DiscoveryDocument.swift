import AuthCore
import Foundation

/// An issuer's description of itself (OpenID Connect Discovery 1.0, RFC 8414).
///
/// The endpoints may be on other hosts than the issuer; requests to them pass the transport's usual checks.
public struct DiscoveryDocument: Sendable, Hashable {
  /// The issuer, exactly as tokens name it.
  public let issuer: String
  public let authorizationEndpoint: String
  public let tokenEndpoint: String
  /// The address of the key set (RFC 7517).
  public let jwksURI: String
  public let userInfoEndpoint: String?
  public let introspectionEndpoint: String?
  public let revocationEndpoint: String?
  /// True if callbacks name the issuer as `iss` (RFC 9207).
  public let authorizationResponseIssParameterSupported: Bool
  /// The value of `code_challenge_methods_supported`; empty if the issuer omits it.
  public let codeChallengeMethods: [String]
  /// The value of `token_endpoint_auth_methods_supported`; `client_secret_basic` if the issuer omits it.
  public let tokenEndpointAuthMethods: [String]
  /// The asymmetric algorithms of `id_token_signing_alg_values_supported`, in the issuer's order.
  public let signingAlgorithms: [SigningAlgorithm]
}

extension DiscoveryDocument {
  /// Reads the document of an issuer; throws `network-request-failed` if it is not usable.
  init(
    _ json: JSONValue, of issuer: String, privateHosts: [String]
  ) throws(AuthError) {
    let reader = DiscoveryReader(json: json, issuer: issuer, privateHosts: privateHosts)
    // OpenID Connect Discovery 4.3: otherwise one issuer could speak for another.
    guard let named = json["issuer"]?.stringValue, named.isExactly(issuer) else {
      throw reader.unusable("names another issuer", "issuer")
    }
    self.issuer = named
    authorizationEndpoint = try reader.requiredEndpoint("authorization_endpoint")
    tokenEndpoint = try reader.requiredEndpoint("token_endpoint")
    jwksURI = try reader.requiredEndpoint("jwks_uri")
    userInfoEndpoint = try reader.endpoint("userinfo_endpoint")
    introspectionEndpoint = try reader.endpoint("introspection_endpoint")
    revocationEndpoint = try reader.endpoint("revocation_endpoint")
    authorizationResponseIssParameterSupported =
      json["authorization_response_iss_parameter_supported"] == true
    codeChallengeMethods = reader.texts("code_challenge_methods_supported") ?? []
    tokenEndpointAuthMethods =
      reader.texts("token_endpoint_auth_methods_supported") ?? ["client_secret_basic"]
    signingAlgorithms = (reader.texts("id_token_signing_alg_values_supported") ?? [])
      .compactMap(SigningAlgorithm.init(rawValue:))
  }
}

private struct DiscoveryReader {
  let json: JSONValue
  let issuer: String
  let privateHosts: [String]

  func texts(_ name: String) -> [String]? {
    guard case .array(let values) = json[name] else { return nil }
    return values.compactMap(\.stringValue)
  }

  func requiredEndpoint(_ name: String) throws(AuthError) -> String {
    guard let url = try endpoint(name) else { throw unusable("names no \(name)", name) }
    return url
  }

  func endpoint(_ name: String) throws(AuthError) -> String? {
    guard let member = json[name], member != .null else { return nil }
    guard let url = member.stringValue, VendorAddress.isUsable(url, privateHosts: privateHosts)
    else { throw unusable("names a \(name) that is no https address", name) }
    return url
  }

  func unusable(_ what: String, _ field: String) -> AuthError {
    AuthError(
      .networkRequestFailed,
      "The discovery document of \(URLText.host(of: issuer) ?? "the issuer") \(what).",
      field: field, remedy: "Check the issuer that is configured.")
  }
}

/// The rules for addresses that a vendor or an admin may name.
enum VendorAddress {
  /// Tells whether an address is `https`, or `http` on a host that an admin allowed, and has neither user nor
  /// fragment.
  static func isUsable(_ url: String, privateHosts: [String]) -> Bool {
    guard let parts = URLComponents(string: url), let host = URLText.host(of: url),
      parts.user == nil, parts.password == nil, parts.fragment == nil
    else { return false }
    switch parts.scheme?.lowercased() {
    case "https": return true
    case "http":
      let name = parts.host?.lowercased() ?? host
      return privateHosts.contains { [name, host].contains($0.lowercased()) }
    default: return false
    }
  }
}
