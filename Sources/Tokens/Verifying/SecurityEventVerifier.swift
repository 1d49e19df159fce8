package import AuthCore

/// The requirements of a token that reports an event.
package struct EventTokenDeclaration: Sendable, Hashable {
  /// The requirements that the issuer's ID tokens would have; their nonce does not count.
  package var tokens: IDTokenDeclaration
  /// The media types that `typ` may name, without `application/`; the header may also omit it.
  package var types: Set<String> = ["jwt", "secevent+jwt"]

  /// Makes the declaration of events that are signed like an issuer's ID tokens.
  package init(like tokens: IDTokenDeclaration) { self.tokens = tokens }
}

/// A verified token that reports an event.
package struct EventToken: Sendable, Hashable {
  /// One of the declared issuers.
  package let issuer: String
  /// The token's ID, unique for its issuer.
  package let id: String
  /// The time at which the token was issued; of a time in whole seconds the end of the second.
  package let issuedAt: Timestamp
  /// Every claim.
  package let claims: JSONValue
}

/// Verifies tokens that report events: Security Event Tokens (RFC 8417), logout tokens and Apple's notifications.
///
/// It refuses what is not declared, and every ID token: a token of one kind never counts as the other. Time limits do
/// not depend on `exp`, which these tokens usually lack.
package struct SecurityEventVerifier: Sendable {
  private let keys: KeyCache

  /// Makes a verifier; `keys` is the process's shared cache of public keys.
  package init(keys: KeyCache) {
    self.keys = keys
  }

  /// The tolerated difference between the clocks of issuer and verifier in seconds.
  private static let leeway: Int64 = 300

  /// Verifies a token; throws `invalid-credential` naming the claim at fault, or `network-request-failed`.
  package func verify(
    _ token: String, by declaration: EventTokenDeclaration, now: Timestamp
  ) async throws -> EventToken {
    let parts: AdmittedToken
    do throws(AuthError) {
      parts = try AdmittedToken(
        token, algorithms: declaration.tokens.algorithms, types: declaration.types)
    } catch {
      throw AuthError.refusedEvent("The event token's form is not allowed.", field: error.field)
    }
    let claims = parts.claims
    // The issuer comes before the signature, so that a token of a foreign issuer causes no request for keys.
    guard let issuer = claims["iss"]?.stringValue,
      declaration.tokens.issuers.contains(where: { $0.isExactly(issuer) })
    else { throw AuthError.refusedEvent("The event is of another issuer.", field: "iss") }
    let key: FoundKey
    do {
      key = try await keys.key(of: parts, by: declaration.tokens)
    } catch let error as AuthError where error.code == .invalidCredential {
      throw AuthError.refusedEvent("The issuer has no such key.", field: "kid")
    }
    guard key.checker.accepts(parts.signature, of: parts.signedPart) else {
      throw AuthError.refusedEvent("The signature is not the issuer's.", field: "signature")
    }
    do throws(AuthError) {
      try ClaimCheck(parts, declaration.tokens, now: now).keyIssuer(key.issuers, issuer: issuer)
    } catch {
      throw AuthError.refusedEvent("The key is another issuer's.", field: error.field)
    }
    try Self.checkAudience(claims["aud"], declaration)
    guard claims["nonce"] == nil, claims["events"] != nil else {
      throw AuthError.refusedEvent("The token reports no event.", field: "events")
    }
    guard let id = claims["jti"]?.stringValue, !id.isEmpty, id.utf8.count <= 512 else {
      throw AuthError.refusedEvent("The event has no ID.", field: "jti")
    }
    return EventToken(
      issuer: issuer, id: id, issuedAt: try Self.issueTime(claims, now: now), claims: claims)
  }

  private static func checkAudience(
    _ value: JSONValue?, _ declaration: EventTokenDeclaration
  ) throws(AuthError) {
    let named: [String]
    switch value {
    case .string(let one): named = [one]
    case .array(let values): named = values.compactMap(\.stringValue)
    default: named = []
    }
    let isOurs = declaration.tokens.audiences.contains { ours in
      !ours.isEmpty && named.contains { $0.isExactly(ours) }
    }
    guard isOurs else { throw .refusedEvent("The event is for another app.", field: "aud") }
  }

  private static func issueTime(_ claims: JSONValue, now: Timestamp) throws(AuthError) -> Timestamp
  {
    guard let issuedAt = NumericDate(claims["iat"]) else {
      throw .refusedEvent("The event does not say when it was issued.", field: "iat")
    }
    try EventTime.check(issuedAt.floor, now: now, field: "iat")
    if let end = claims["exp"] {
      guard let end = NumericDate(end), now < end.floor.adding(seconds: leeway) else {
        throw .refusedEvent("The event token has expired.", field: "exp")
      }
    }
    return EventTime.end(of: issuedAt)
  }
}

/// The rules about the times of events.
package enum EventTime {
  /// Throws if an event is too old to be remembered, or from the future.
  package static func check(_ time: Timestamp, now: Timestamp, field: String) throws(AuthError) {
    guard time <= now.adding(seconds: 300) else {
      throw .refusedEvent("The event is from the future.", field: field)
    }
    guard now < time.adding(seconds: ProviderEvent.maximumAge) else {
      throw .refusedEvent("The event is older than seven days.", field: field)
    }
  }

  /// Returns the end of a time's second, so that what happened earlier in that second is not newer.
  package static func end(of date: NumericDate) -> Timestamp {
    Timestamp(milliseconds: date.seconds * 1000 + 999)
  }
}

extension AuthError {
  /// The refusal of a vendor's request; the message tells nothing about accounts.
  package static func refusedEvent(_ message: String, field: String?) -> AuthError {
    AuthError(
      .invalidCredential, message, field: field,
      remedy: "Have the vendor send its events for this app to this address.", step: .token)
  }
}
