package import AuthCore
import Crypto

/// Apple's server-to-server notifications about people who signed in with Apple.
///
/// Documentation: developer.apple.com/documentation/signinwithapple/processing-changes-for-sign-in-with-apple-accounts.
package enum AppleEvents {
  private static let kinds: [String: ProviderEvent.Kind] = [
    "email-disabled": .emailDisabled, "email-enabled": .emailEnabled,
    "consent-revoked": .consentRevoked,
    // The documentation has used both names.
    "account-delete": .identityDeleted, "account-deleted": .identityDeleted,
  ]

  /// Verifies a notification and reads its event; Apple expects the status 200, also for an unknown type.
  package static func report(
    _ request: ProviderEventRequest, by declaration: EventTokenDeclaration,
    _ verifier: SecurityEventVerifier, now: Timestamp
  ) async throws -> ProviderEventReport {
    let token = try await verifier.verify(try payload(request), by: declaration, now: now)
    // The member is the text of an object; some receivers got the object itself.
    var event = token.claims["events"] ?? .null
    if case .string(let text) = event {
      event = (try? JSONValue(strict: Array(text.utf8))) ?? .null
    }
    guard case .object = event, let type = event["type"]?.stringValue else {
      throw AuthError.refusedEvent("The notification names no event.", field: "events")
    }
    let answer = ProviderEventResponse(status: 200)
    guard let kind = kinds[type], let subject = event["sub"]?.stringValue, !subject.isEmpty else {
      return ProviderEventReport([], response: answer)
    }
    let id = Base64.url.text(SHA256.hash(data: Array("\(token.issuer) \(token.id)".utf8)))
    return ProviderEventReport(
      [
        ProviderEvent(
          kind, subject: subject, at: min(time(event["event_time"]), token.issuedAt), id: id)
      ], response: answer)
  }

  private static func payload(_ request: ProviderEventRequest) throws(AuthError) -> String {
    let payload: String?
    switch request.mediaType {
    case "application/json":
      payload = (try? JSONValue(strict: request.body))?["payload"]?.stringValue
    case "application/x-www-form-urlencoded": payload = request.formField("payload")
    default:
      throw .refusedEvent("The body is no application/json.", field: "content-type")
    }
    guard let payload else {
      throw .refusedEvent("The notification has no payload.", field: "payload")
    }
    return payload
  }

  /// Reads a time in milliseconds, as in recorded notifications, or in seconds.
  private static func time(_ value: JSONValue?) -> Timestamp {
    guard case .integer(let number)? = value, number >= 0, number < 1 << 50 else {
      return Timestamp(milliseconds: .max)
    }
    return Timestamp(milliseconds: number < 100_000_000_000 ? number * 1000 + 999 : number)
  }
}

extension EventRule {
  /// Apple's server-to-server notifications, signed like its ID tokens.
  static let apple = EventRule(needing: "clientIDs") { request, use in
    try await AppleEvents.report(
      request, by: EventTokenDeclaration(like: try await use.eventRequirements()),
      SecurityEventVerifier(keys: use.session.keys), now: use.session.now)
  }
}
