import AuthCore
import Crypto
import Foundation

extension VendorRecords {
  /// Makes a text that cannot be guessed.
  static func secret(_ prefix: String) -> String {
    prefix + Base64.url.text(RandomBytes.make(24))
  }

  func issueCode(_ grant: Grant, prefix: String) -> String {
    let code = Self.secret(prefix)
    with { contents in
      contents.grantCount += 1
      var grant = grant
      grant.id = contents.grantCount
      grant.lifetime = Self.codeSeconds
      contents.codes[code] = grant
    }
    return code
  }

  func issueAccessToken(_ grant: Grant, prefix: String) -> String {
    let token = Self.secret(prefix)
    with { contents in
      var grant = grant
      if grant.id == 0 {
        contents.grantCount += 1
        grant.id = contents.grantCount
      }
      contents.accessTokens[token] = grant
    }
    return token
  }

  func issueRefreshToken(_ grant: Grant, prefix: String) -> String {
    let token = Self.secret(prefix)
    with { $0.refreshTokens[token] = grant }
    return token
  }

  /// The grant of an access token; nil if the token is expired, revoked or unknown.
  func grant(ofAccessToken token: String?) -> Grant? {
    guard let token, let grant = with({ $0.accessTokens[token] }), clock() < grant.expiresAt else {
      return nil
    }
    return grant
  }

  func grant(ofRefreshToken token: String?) -> Grant? {
    token.flatMap { token in with { $0.refreshTokens[token] } }
  }

  /// Revokes a token; a refresh token ends every token of the same grant (RFC 7009, 2.1).
  @discardableResult func revoke(_ token: String, of clientID: String? = nil) -> Bool {
    with { contents in
      let found = contents.refreshTokens[token] ?? contents.accessTokens[token]
      guard let found, clientID == nil || clientID == found.clientID else { return false }
      if contents.refreshTokens[token] != nil { Self.end(found.id, in: &contents) }
      contents.accessTokens[token] = nil
      return true
    }
  }

  /// Revokes every token of a person for an app.
  func revokeAll(of person: FakePerson, clientID: String) {
    with { contents in
      let isTheirs = { (grant: Grant) in
        grant.person.subject == person.subject && grant.clientID == clientID
      }
      contents.accessTokens = contents.accessTokens.filter { !isTheirs($0.value) }
      contents.refreshTokens = contents.refreshTokens.filter { !isTheirs($0.value) }
      contents.introductions.remove([person.subject, clientID])
    }
  }

  private static func end(_ grant: Int, in contents: inout Contents) {
    contents.accessTokens = contents.accessTokens.filter { $0.value.id != grant }
    contents.refreshTokens = contents.refreshTokens.filter { $0.value.id != grant }
  }
}

extension VendorRecords {
  /// Redeems a code and returns its grant (RFC 6749, 4.1.3; RFC 7636, 4.6).
  func redeemCode(_ form: RequestFields, by client: FakeClient) throws(OAuthRefusal) -> Grant {
    guard let code = form["code"] else {
      throw OAuthRefusal("invalid_request", "The code is missing.")
    }
    let found = with { contents -> Grant? in
      if let replayed = contents.usedCodes[code] {
        // RFC 6749, 4.1.2: a code that is used twice was stolen, so its tokens end.
        Self.end(replayed, in: &contents)
      }
      let grant = contents.codes.removeValue(forKey: code)
      if let grant { contents.usedCodes[code] = grant.id }
      return grant
    }
    guard let found, clock() < found.expiresAt, found.clientID == client.id else {
      throw OAuthRefusal("invalid_grant", "The code is unknown, used, too old or of another app.")
    }
    guard found.redirectURI == form["redirect_uri"] else {
      throw OAuthRefusal("invalid_grant", "The redirect_uri is not the one that got the code.")
    }
    try Self.checkVerifier(form["code_verifier"], against: found.challenge)
    var grant = found
    grant.issuedAt = clock()
    grant.lifetime = Self.accessTokenSeconds
    return grant
  }

  func redeemRefreshToken(
    _ form: RequestFields, by client: FakeClient
  ) throws(OAuthRefusal) -> Grant {
    guard var grant = grant(ofRefreshToken: form["refresh_token"]), grant.clientID == client.id
    else { throw OAuthRefusal("invalid_grant", "The refresh token is unknown or of another app.") }
    let wanted = form["scope"]?.split(separator: " ").map(String.init) ?? grant.scopes
    guard Set(wanted).isSubset(of: grant.scopes) else {
      throw OAuthRefusal("invalid_scope", "More was asked for than was granted.")
    }
    grant.scopes = wanted
    grant.issuedAt = clock()
    // OpenID Connect Core, 12.2: a refreshed ID token should have no nonce.
    grant.nonce = nil
    return grant
  }

  private static func checkVerifier(
    _ verifier: String?, against challenge: String?
  ) throws(OAuthRefusal) {
    // RFC 9700, 2.1.1: a verifier without a challenge is a sign that the challenge was stripped.
    guard (verifier == nil) == (challenge == nil) else {
      throw OAuthRefusal("invalid_grant", "Of code_challenge and code_verifier one is missing.")
    }
    guard let verifier, let challenge else { return }
    guard (43...128).contains(verifier.utf8.count),
      Base64.url.text(SHA256.hash(data: Data(verifier.utf8))) == challenge
    else { throw OAuthRefusal("invalid_grant", "The code_verifier is not the challenge's.") }
  }
}
