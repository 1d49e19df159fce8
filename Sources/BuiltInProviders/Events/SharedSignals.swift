package import AuthCore
import Crypto

/// The events of a Security Event Token (RFC 8417): OpenID's RISC and CAEP profiles, and back-channel logout.
package struct SharedSignals: Sendable {
  /// The issuers whose subjects may be named.
  package let issuers: [String]
  /// The issuer whose subjects have no issuer in their keys.
  package let usualIssuers: Set<String>

  /// Makes a reader for subjects of some issuers.
  package init(issuers: [String], usualIssuers: Set<String>) {
    self.issuers = issuers
    self.usualIssuers = usualIssuers
  }

  private static let prefix = "https://schemas.openid.net/secevent/"
  private static let logout = "http://schemas.openid.net/event/backchannel-logout"

  private static let kinds: [String: ProviderEvent.Kind] = [
    "risc/event-type/sessions-revoked": .sessionEnded,
    "oauth/event-type/tokens-revoked": .sessionEnded,
    "caep/event-type/session-revoked": .sessionEnded,
    "risc/event-type/account-disabled": .accountDisabled,
    "risc/event-type/account-enabled": .accountEnabled,
    "risc/event-type/account-purged": .identityDeleted,
    "oauth/event-type/user-unlinked": .consentRevoked,
    "risc/event-type/identifier-changed": .emailChanged,
    "risc/event-type/account-credential-change-required": .credentialChanged,
    "caep/event-type/credential-change": .credentialChanged,
  ]

  /// Returns the events of a token that are about a person of one of the issuers.
  ///
  /// Unknown types are skipped, and so are subjects without issuer and `sub`: an e-mail address identifies no person. A
  /// verification event has no subject. Throws `invalid-credential` if the token has no list of events.
  package func events(of token: EventToken) throws(AuthError) -> [ProviderEvent] {
    guard case .object(let members)? = token.claims["events"], !members.isEmpty else {
      throw .refusedEvent("The token reports no event.", field: "events")
    }
    guard members.count <= ProviderEvent.maximumCount else {
      throw .refusedEvent("The token reports too many events.", field: "events")
    }
    return members.sorted { $0.key < $1.key }.compactMap { type, body in
      let name = String(type.trimmingPrefix(Self.prefix))
      let kind = type == Self.logout ? .sessionEnded : type == name ? nil : Self.kinds[name]
      guard let kind, let subject = subject(of: body, in: token) else { return nil }
      return ProviderEvent(
        kind, subject: subject.id, issuer: subject.issuer, at: time(of: body, in: token),
        id: Self.id(of: token, type: type), reason: body["reason"]?.stringValue)
    }
  }

  /// Reads the person of an event, in each of the places that the profiles have used.
  private func subject(
    of event: JSONValue, in token: EventToken
  ) -> (id: String, issuer: String)? {
    let named = event["subject"] ?? token.claims["sub_id"]
    var issuer = token.issuer
    var subject = token.claims["sub"]?.stringValue
    if let named {
      // A complex subject (CAEP) has the person among its members.
      let person = named["user"] ?? named
      let format = (person["format"] ?? person["subject_type"])?.stringValue
      guard ["iss_sub", "iss-sub", "id_token_claims"].contains(format),
        let said = person["iss"]?.stringValue
      else { return nil }
      issuer = said
      subject = person["sub"]?.stringValue
    }
    guard let subject, !subject.isEmpty, TextBounds.subject.allow(subject),
      issuers.contains(where: { $0.isExactly(issuer) })
    else { return nil }
    return (subject, usualIssuers.contains(issuer) ? "" : issuer)
  }

  /// The time of the happening: `toe` or CAEP's `event_timestamp`, or else that of the token.
  private func time(of event: JSONValue, in token: EventToken) -> Timestamp {
    let said = NumericDate(event["event_timestamp"]) ?? NumericDate(token.claims["toe"])
    return said.map { min(EventTime.end(of: $0), token.issuedAt) } ?? token.issuedAt
  }

  /// The ID of one event of a token; `jti` alone is unique only for its issuer.
  private static func id(of token: EventToken, type: String) -> String {
    let text = "\(token.issuer) \(token.id) \(type)"
    return Base64.url.text(SHA256.hash(data: Array(text.utf8)))
  }
}

extension ProviderEventRequest {
  /// The token that the body is (RFC 8935), or the form's `logout_token`.
  package var eventToken: String {
    get throws(AuthError) {
      switch mediaType {
      case "application/secevent+jwt", "application/jwt": return text.trimmed
      case "application/x-www-form-urlencoded":
        guard let token = formField("logout_token") else {
          throw .refusedEvent("The form has no logout_token.", field: "logout_token")
        }
        return token
      default:
        throw .refusedEvent(
          "The body is no application/secevent+jwt.", field: "content-type")
      }
    }
  }

  /// Returns a field of the body's form; nil if there is none or it comes twice.
  package func formField(_ name: String) -> String? {
    let fields = URLText.fields(of: text, atMost: 100) ?? []
    let values = fields.filter { $0.name == name }
    return values.count == 1 ? values[0].value : nil
  }
}

extension String {
  fileprivate var trimmed: String {
    guard let start = firstIndex(where: { !$0.isWhitespace }),
      let end = lastIndex(where: { !$0.isWhitespace })
    else { return "" }
    return String(self[start...end])
  }
}
