public import AuthCore
import Crypto

extension OAuthClient {
  /// Returns the address that a browser opens for an authorization code with PKCE (RFC 6749, RFC 7636).
  ///
  /// - Parameters:
  ///   - grant: the state, nonce, verifier and redirect URI of this sign-in, and the app's own parameters.
  ///   - scopes: the scopes that the provider always requests; the grant's own follow them.
  ///   - parameters: the vendor's own parameters, which the grant cannot change.
  ///   - defaults: parameters that the grant can change.
  ///   - hasPKCE: false if the vendor refuses the parameters of PKCE.
  ///   - hasNonce: true if the vendor issues ID tokens, which repeat the nonce.
  /// - Returns: the address. Parameters that decide the receiver of the answer or its binding cannot be added, nor
  ///   can request objects, which would override all others.
  public func authorizationURL(
    _ grant: AuthorizationGrant, scopes: [String],
    parameters: [(name: String, value: String)] = [],
    defaults: [(name: String, value: String)] = [], hasPKCE: Bool = true, hasNonce: Bool = true
  ) -> String {
    var query = [
      (name: "response_type", value: "code"), (name: "client_id", value: clientID),
      (name: "redirect_uri", value: grant.redirectURI),
    ]
    var known: Set<String> = []
    let asked = (scopes + grant.scopes).filter { known.insert($0).inserted }
    if !asked.isEmpty { query.append(("scope", asked.joined(separator: scopeSeparator))) }
    query.append(("state", grant.state))
    if hasNonce { query.append(("nonce", grant.nonce)) }
    if hasPKCE {
      query += [
        ("code_challenge", CodeChallenge.s256(grant.codeVerifier.reveal())),
        ("code_challenge_method", "S256"),
      ]
    }
    let given = grant.parameters.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    let added = parameters + given + defaults
    var taken = Self.neverAdded.union(query.map(\.name))
    // A parameter that only token requests lack stays here.
    query = query.map { name, value in
      (tokenRequest.names[name].flatMap { $0.isEmpty ? nil : $0 } ?? name, value)
    }
    taken.formUnion(query.map(\.name))
    query += added.filter { taken.insert($0.name).inserted }
    return URLText.adding(query, to: endpoints.authorize)
  }

  /// The parameters that no caller may add to an authorization request.
  package static let neverAdded: Set<String> = [
    "scope", "request", "request_uri", "client_secret", "client_assertion",
    "client_assertion_type", "code", "code_verifier",
  ]
}

/// PKCE (RFC 7636).
package enum CodeChallenge {
  /// Returns the SHA-256 of a verifier, which the authorization request shows.
  package static func s256(_ verifier: String) -> String {
    Base64.url.text(SHA256.hash(data: Array(verifier.utf8)))
  }
}
