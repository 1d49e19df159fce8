package import AuthCore
import Crypto
import Foundation

/// Facebook's callbacks for people who remove the app or ask that their data be deleted.
///
/// Documentation: developers.facebook.com/docs/development/create-an-app/app-dashboard/data-deletion-callback.
package enum FacebookEvents {
  /// The address of an event, which Facebook does not name in the event itself.
  private enum Topic: String, CaseIterable {
    case deauthorize, delete
  }

  /// The last segments of the two addresses.
  package static var topics: [String] { Topic.allCases.map(\.rawValue) }

  /// Verifies a signed request and makes its event.
  ///
  /// A deletion is answered with a confirmation code and the address of its state.
  package static func report(
    _ request: ProviderEventRequest, secret: Secret<String>, now: Timestamp
  ) throws -> ProviderEventReport {
    guard let topic = Topic(rawValue: request.topic ?? "") else {
      throw AuthError.refusedEvent(
        "The address of a callback ends with /deauthorize or /delete.", field: "topic")
    }
    guard request.mediaType == "application/x-www-form-urlencoded",
      let signed = request.formField("signed_request")
    else {
      throw AuthError.refusedEvent("The form has no signed_request.", field: "signed_request")
    }
    let claims = try verified(signed, secret)
    guard let subject = subject(claims["user_id"]) else {
      throw AuthError.refusedEvent("The request names no person.", field: "user_id")
    }
    guard let issuedAt = NumericDate(claims["issued_at"]) else {
      throw AuthError.refusedEvent("The request does not say its time.", field: "issued_at")
    }
    try EventTime.check(issuedAt.floor, now: now, field: "issued_at")
    let digest = SHA256.hash(data: Array("\(topic.rawValue) \(signed)".utf8))
    let id = String(Base64.url.text(digest).prefix(27))
    let event = ProviderEvent(
      topic == .delete ? .identityDeleted : .consentRevoked, subject: subject,
      at: EventTime.end(of: issuedAt), id: id)
    guard topic == .delete else {
      return ProviderEventReport([event], response: ProviderEventResponse(status: 200))
    }
    return ProviderEventReport(
      [event],
      response: .json([
        "url": .string(request.statusAddress + id), "confirmation_code": .string(id),
      ]))
  }

  /// Checks the HMAC-SHA-256 of the second part under the app's secret, and returns the claims.
  private static func verified(
    _ signed: String, _ secret: Secret<String>
  ) throws(AuthError) -> JSONValue {
    let parts = signed.split(separator: ".", omittingEmptySubsequences: false)
    guard signed.utf8.count <= 16 << 10, parts.count == 2,
      let signature = Base64.url.bytes(of: ArraySlice(Array(parts[0].utf8))),
      let payload = Base64.url.bytes(of: ArraySlice(Array(parts[1].utf8)))
    else {
      throw .refusedEvent("The signed request is not of two parts.", field: "signed_request")
    }
    let key = SymmetricKey(data: Array(secret.reveal().utf8))
    guard
      HMAC<SHA256>.isValidAuthenticationCode(
        Data(signature), authenticating: Array(parts[1].utf8), using: key)
    else { throw .refusedEvent("The signature is not the vendor's.", field: "signature") }
    guard let claims = try? JSONValue(strict: payload), case .object = claims else {
      throw .refusedEvent("The signed request is no JSON object.", field: "signed_request")
    }
    guard claims["algorithm"]?.stringValue?.uppercased() == "HMAC-SHA256" else {
      throw .refusedEvent("The algorithm is not HMAC-SHA256.", field: "alg")
    }
    // Pages that sign in get requests with the same signature, which hold a code or a token.
    guard claims["code"] == nil, claims["oauth_token"] == nil else {
      throw .refusedEvent("The signed request is that of a sign-in.", field: "code")
    }
    return claims
  }

  private static func subject(_ value: JSONValue?) -> String? {
    switch value {
    case .string(let text) where !text.isEmpty && TextBounds.subject.allow(text): text
    case .integer(let number) where number > 0: String(number)
    default: nil
    }
  }
}

extension EventRule {
  /// Facebook's deauthorise and data deletion callbacks.
  static let facebook = {
    var rule = EventRule(needing: "appID") { request, use in
      try FacebookEvents.report(
        request, secret: try use.session.settings.requiredSecret("appSecret"),
        now: use.session.now)
    }
    rule.topics = FacebookEvents.topics
    return rule
  }()
}
