import AuthCore
import Tokens

/// The signed request of a service account for an access token (RFC 7523), taken apart and not verified.
struct Assertion {
  let issuer: String
  let keyID: String
  private let token: CompactToken
  private let claims: JSONValue

  /// The seconds that a client's clock may be ahead.
  private static let leeway: Int64 = 60
  /// The longest lifetime in seconds, as with Google.
  private static let maximumLifetime: Int64 = 3600

  /// Takes an assertion apart; nil if it is no RS256 token with a key ID and an issuer, or if it chooses its own key.
  init?(_ text: String) {
    guard let token = CompactToken(text), let header = token.headerMembers,
      let claims = token.claims,
      // The algorithm is fixed: a header with another one is an attack (RFC 8725 section 3.1).
      header["alg"]?.stringValue == SigningAlgorithm.rs256.rawValue,
      !TokenParts.refusedMembers.contains(where: { header[$0] != nil }),
      header["typ"].map({ $0.stringValue?.lowercased() == "jwt" }) ?? true,
      let keyID = header["kid"]?.stringValue, let issuer = claims["iss"]?.stringValue
    else { return nil }
    self.token = token
    self.claims = claims
    self.keyID = keyID
    self.issuer = issuer
  }

  func isSigned(by key: ServiceAccount.Key) -> Bool {
    guard let jwk = try? JSONValue(text: key.jwk),
      let checker = VerificationKey(jwk: jwk)?.checkers[.rs256]
    else { return false }
    return checker.accepts(token.signature, of: token.signedPart)
  }

  /// The requested scopes.
  var scopes: [String] {
    claims["scope"]?.stringValue?.split(separator: " ").map(String.init) ?? []
  }

  /// Checks the claims of a signed assertion, and returns its end.
  func end(for audiences: Set<String>, at now: Timestamp) throws(AuthError) -> Timestamp {
    guard let audience = claims["aud"]?.stringValue,
      audiences.contains(where: { $0.isExactly(audience) })
    else {
      throw Self.refusal(
        "The assertion is for another server.", "aud",
        "Use a file whose token_uri is this server's.")
    }
    guard claims["sub"] == nil || claims["sub"]?.stringValue?.isExactly(issuer) == true else {
      throw Self.refusal(
        "A service account acts only for itself.", "sub", "Leave the subject out.")
    }
    guard claims["target_audience"] == nil else {
      throw Self.refusal(
        "ID tokens of service accounts are not issued.", "target_audience",
        "Ask for an access token by scope.")
    }
    guard let issued = claims.moment("iat"), let expires = claims.moment("exp"),
      issued < expires, expires - issued <= Self.maximumLifetime
    else {
      throw Self.refusal(
        "The assertion lives for more than an hour, or does not say how long.", "exp",
        "Set iat, and exp at most an hour later.")
    }
    let seconds = now.milliseconds / 1000
    guard issued <= seconds + Self.leeway else {
      throw Self.refusal("The assertion is of the future.", "iat", Self.clock)
    }
    guard expires > seconds else {
      throw Self.refusal("The assertion is over.", "exp", Self.clock)
    }
    return Timestamp(milliseconds: expires * 1000)
  }

  private static let clock = "Check the clock of the client, and sign a new one."

  private static func refusal(
    _ message: String, _ field: String, _ remedy: String
  ) -> AuthError {
    AuthError(.invalidCredential, message, field: field, remedy: remedy, step: .token)
  }
}
