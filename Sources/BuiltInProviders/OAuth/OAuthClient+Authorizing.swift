public import AuthCore
import Crypto

extension OAuthClient {
  /// Writes the address that a browser has to go to: authorization code with PKCE (RFC 6749, RFC 7636).
  ///
  /// - Parameters:
  ///   - grant: the state, nonce, verifier and redirect URI of this sign-in, and what the app adds.
  ///   - scopes: what the provider always asks for; the grant's own come after them.
  ///   - parameters: what the vendor needs besides; the grant cannot change them.
  ///   - hasPKCE: whether the vendor takes the parameters of PKCE.
  ///   - hasNonce: whether the vendor gives ID tokens, which repeat the nonce.
  /// - Returns: the address. Parameters that decide where the answer goes or what it is bound to cannot
  ///   be added, nor can request objects, which would go before all others.
  public func authorizationURL(
    _ grant: AuthorizationGrant, scopes: [String],
    parameters: [(name: String, value: String)] = [], hasPKCE: Bool = true, hasNonce: Bool = true
  ) -> String {
    var query = [
      (name: "response_type", value: "code"), (name: "client_id", value: clientID),
      (name: "redirect_uri", value: grant.redirectURI),
    ]
    var known: Set<String> = []
    let asked = (scopes + grant.scopes).filter { known.insert($0).inserted }
    if !asked.isEmpty { query.append(("scope", asked.joined(separator: " "))) }
    query.append(("state", grant.state))
    if hasNonce { query.append(("nonce", grant.nonce)) }
    if hasPKCE {
      query += [
        ("code_challenge", CodeChallenge.s256(grant.codeVerifier.reveal())),
        ("code_challenge_method", "S256"),
      ]
    }
    let added = parameters + grant.parameters.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    var taken = Self.neverAdded.union(query.map(\.name))
    query += added.filter { taken.insert($0.name).inserted }
    return URLText.adding(query, to: endpoints.authorize)
  }

  /// What nobody may add to an authorize request.
  package static let neverAdded: Set<String> = [
    "scope", "request", "request_uri", "client_secret", "client_assertion",
    "client_assertion_type", "code", "code_verifier",
  ]
}

/// PKCE (RFC 7636).
package enum CodeChallenge {
  /// What the authorize request shows of a verifier: its SHA-256.
  package static func s256(_ verifier: String) -> String {
    Base64.url.text(SHA256.hash(data: Array(verifier.utf8)))
  }
}
