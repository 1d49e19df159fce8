import AuthCore
import Crypto

/// Checks the claims of one token against its declaration.
struct ClaimCheck {
  let token: AdmittedToken
  let declaration: IDTokenDeclaration
  let now: Timestamp
  private let leeway: Int64

  init(_ token: AdmittedToken, _ declaration: IDTokenDeclaration, now: Timestamp) {
    self.token = token
    self.declaration = declaration
    self.now = now
    leeway = max(0, declaration.leeway)
  }

  func issuer() throws(AuthError) -> String {
    guard let issuer = token.claims["iss"]?.stringValue,
      declaration.issuers.contains(where: { $0.isExactly(issuer) })
    else {
      throw .refusedToken("The ID token is not from an issuer that is trusted.", field: "iss")
    }
    return issuer
  }

  /// Reads and checks the claims that every token needs.
  func claims(issuer: String) throws(AuthError) -> IDTokenClaims {
    // A Security Event Token (RFC 8417) and a logout token are signed with the same keys.
    guard token.claims["events"] == nil else {
      throw .refusedToken("The token reports an event, and is no ID token.", field: "events")
    }
    let audiences = try audiences()
    let party = try authorizedParty(audiences)
    let (expiresAt, issuedAt) = try times()
    let subject = try subject()
    let all = token.claims
    let flags = IDTokenFlags(claims: all, mayBeText: declaration.booleansMayBeText)
    let email = all["email"]?.stringValue
    return IDTokenClaims(
      issuer: issuer, subject: subject, audiences: audiences, authorizedParty: party,
      expiresAt: expiresAt, issuedAt: issuedAt, nonce: all["nonce"]?.stringValue, email: email,
      emailVerified: email != nil && flags["email_verified"], name: all["name"]?.stringValue,
      picture: all["picture"]?.stringValue, all: all,
      uses: uses(issuer: issuer, until: expiresAt.adding(seconds: leeway)), flags: flags)
  }

  private func audiences() throws(AuthError) -> [String] {
    let named: [String]
    switch token.claims["aud"] {
    case .string(let one): named = [one]
    case .array(let values):
      named = values.compactMap(\.stringValue)
      guard named.count == values.count else {
        throw .refusedToken("The ID token's audience is no list of texts.", field: "aud")
      }
    default: throw .refusedToken("The ID token names no audience.", field: "aud")
    }
    guard named.contains(where: isOurs) else {
      throw .refusedToken(
        "The ID token is for another client.", field: "aud",
        remedy: "Configure the client ID that the app signs in with.")
    }
    return named
  }

  private func authorizedParty(_ audiences: [String]) throws(AuthError) -> String? {
    guard let claim = token.claims["azp"] else {
      guard audiences.count == 1 else {
        throw .refusedToken(
          "The ID token is for several clients and does not say which one asked for it.",
          field: "azp")
      }
      return nil
    }
    guard let party = claim.stringValue, isOurs(party) else {
      throw .refusedToken(
        "The ID token was asked for by another client.", field: "azp",
        remedy: "Configure the client ID that the app signs in with.")
    }
    return party
  }

  private func isOurs(_ audience: String) -> Bool {
    !audience.isEmpty && declaration.audiences.contains { $0.isExactly(audience) }
  }

  private func subject() throws(AuthError) -> String {
    switch token.claims["sub"] {
    case nil: throw .refusedToken("The ID token has no subject.", field: "sub")
    case .string(""): throw .refusedToken("The ID token's subject is empty.", field: "sub")
    case .string(let subject):
      guard TextBounds.subject.allow(subject) else {
        throw .refusedToken(
          "The ID token's subject is longer than \(TextBounds.subject).", field: "sub")
      }
      guard subject.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F }) else {
        throw .refusedToken("The ID token's subject holds control characters.", field: "sub")
      }
      return subject
    case .integer(let number) where number.magnitude <= 1 << 53:
      throw .refusedToken("The ID token's subject is a number, not a text.", field: "sub")
    case .integer, .number:
      // Parsers disagree on the last digits of such a number: two people could become one.
      throw .refusedToken(
        "The ID token's subject is a number that cannot be held exactly.", field: "sub")
    default: throw .refusedToken("The ID token's subject is no text.", field: "sub")
    }
  }

  /// The one-time uses of the token; see ``IDTokenClaims/uses``.
  private func uses(issuer: String, until end: Timestamp) -> [OneTimeUse] {
    let digest = Base64.url.text(SHA256.hash(data: token.signedPart))
    var uses = [OneTimeUse.idToken(digest, of: issuer, expiresAt: end)]
    if declaration.nonce.presence != .ignored, let nonce = token.claims["nonce"]?.stringValue {
      let digest = Base64.url.text(SHA256.hash(data: Array(nonce.utf8)))
      uses.append(.nonce(digest, of: issuer, expiresAt: end))
    }
    return uses
  }
}

/// The times of a token: seconds since 1970, with or without a fraction; see ``NumericDate``.
extension ClaimCheck {
  private func times() throws(AuthError) -> (expiresAt: Timestamp, issuedAt: Timestamp) {
    guard let expiresAt = try time("exp") else {
      throw .refusedToken("The ID token does not say when it expires.", field: "exp")
    }
    guard let issuedAt = try time("iat") else {
      throw .refusedToken("The ID token does not say when it was made.", field: "iat")
    }
    guard now < expiresAt.floor.adding(seconds: leeway) else {
      throw .refusedToken(
        "The ID token has expired.", field: "exp", remedy: "Sign in at the provider again.")
    }
    let latest = now.adding(seconds: leeway)
    guard issuedAt.ceiling <= latest else {
      throw .refusedToken(
        "The ID token was made in the future.", field: "iat", remedy: "Check the clocks.")
    }
    if let begin = try time("nbf"), begin.ceiling > latest {
      throw .refusedToken(
        "The ID token is not valid yet.", field: "nbf", remedy: "Check the clocks.")
    }
    // A larger number would overflow the sum.
    let maximumAge = declaration.maximumAge.map { min(max(0, $0), NumericDate.latestSecond) }
    if let age = maximumAge, now >= issuedAt.floor.adding(seconds: age + leeway) {
      throw .refusedToken(
        "The ID token is too old.", field: "iat", remedy: "Sign in at the provider again.")
    }
    return (expiresAt.floor, issuedAt.floor)
  }

  private func time(_ name: String) throws(AuthError) -> NumericDate? {
    guard let claim = token.claims[name] else { return nil }
    guard let time = NumericDate(claim) else {
      throw .refusedToken("The ID token's \(name) is no time in seconds.", field: name)
    }
    return time
  }
}
