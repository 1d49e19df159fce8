import AuthCore

/// Checks the claims of a token whose signature is right against a declaration.
struct ClaimCheck {
  private let all: JSONValue
  private let declaration: IDTokenDeclaration
  private let now: Timestamp

  init(_ all: JSONValue, _ declaration: IDTokenDeclaration, _ now: Timestamp) {
    self.all = all
    self.declaration = declaration
    self.now = now
  }

  func claims(
    uses: (_ expiresAt: Timestamp, _ nonce: String?) -> [OneTimeUse]
  ) throws(AuthError) -> IDTokenClaims {
    guard let issuer = all["iss"]?.stringValue, declaration.issuers.contains(issuer) else {
      throw .untrusted("its issuer is another one", "iss")
    }
    let audiences = try self.audiences()
    let party = try optionalText("azp")
    if let party, !declaration.audiences.contains(party) {
      throw .untrusted("it was given to another app", "azp")
    }
    if audiences.count > 1, party == nil {
      throw .untrusted("it is for several apps and names none it was given to", "azp")
    }
    let (issuedAt, expiresAt) = try times()
    let subject = try self.subject()
    let nonce = try optionalText("nonce")
    return IDTokenClaims(
      issuer: issuer, subject: subject, audiences: audiences, authorizedParty: party,
      expiresAt: expiresAt, issuedAt: issuedAt, nonce: nonce, email: all["email"]?.stringValue,
      emailVerified: IDTokenClaims.isTrue(all["email_verified"], declaration.booleansMayBeText),
      all: all, uses: uses(expiresAt.adding(seconds: declaration.leeway + 1), nonce),
      booleansMayBeText: declaration.booleansMayBeText)
  }

  private func audiences() throws(AuthError) -> [String] {
    let audiences: [String]
    switch all["aud"] {
    case .string(let one): audiences = [one]
    case .array(let several): audiences = several.compactMap(\.stringValue)
    default: audiences = []
    }
    guard audiences.contains(where: declaration.audiences.contains) else {
      throw .untrusted("it is for another app", "aud")
    }
    return audiences
  }

  private func times() throws(AuthError) -> (issuedAt: Timestamp, expiresAt: Timestamp) {
    guard let expiresAt = try time("exp") else { throw .untrusted("it never expires", "exp") }
    guard now < expiresAt.adding(seconds: declaration.leeway) else {
      throw .untrusted("it has expired", "exp")
    }
    if let from = try time("nbf"), now.adding(seconds: declaration.leeway) < from {
      throw .untrusted("it is not valid yet", "nbf")
    }
    guard let issuedAt = try time("iat") else {
      throw .untrusted("it does not say when it was made", "iat")
    }
    guard issuedAt <= now.adding(seconds: declaration.leeway) else {
      throw .untrusted("it was made in the future", "iat")
    }
    if let age = declaration.maximumAge,
      issuedAt.adding(seconds: age + declaration.leeway) < now
    {
      throw .untrusted("it is too old", "iat")
    }
    return (issuedAt, expiresAt)
  }

  /// A NumericDate (RFC 7519, section 2).
  private func time(_ claim: String) throws(AuthError) -> Timestamp? {
    let seconds: Double
    switch all[claim] {
    case nil: return nil
    case .integer(let number): seconds = Double(number)
    case .number(let number): seconds = number
    default: throw .untrusted("a time in it is no number", claim)
    }
    guard seconds.isFinite, (0...1e11).contains(seconds) else {
      throw .untrusted("a time in it is out of bounds", claim)
    }
    return Timestamp(milliseconds: Int64(seconds * 1000))
  }

  /// The immutable name of the person (OpenID Connect Core, section 2: text of at most 255 ASCII characters).
  private func subject() throws(AuthError) -> String {
    switch all["sub"] {
    case nil, .null: throw .untrusted("it has no subject", "sub")
    case .string(""): throw .untrusted("its subject is empty", "sub")
    case .string(let text) where text.utf8.count <= 255: return text
    case .string: throw .untrusted("its subject is too long", "sub")
    case .integer, .number:
      // A number may have lost digits on its way, and then names somebody else.
      throw .untrusted("its subject is a number and not text", "sub")
    default: throw .untrusted("its subject is no text", "sub")
    }
  }

  private func optionalText(_ claim: String) throws(AuthError) -> String? {
    switch all[claim] {
    case nil, .null: return nil
    case .string(let text): return text
    default: throw .untrusted("a claim in it is no text", claim)
    }
  }
}
