public import AuthCore
import Crypto
import Foundation

/// A request as a vendor sends it to an app's server.
public struct VendorMessage: Sendable {
  /// The media type of the body.
  public var contentType: String
  /// The body.
  public var body: String

  /// Makes a request.
  public init(contentType: String, body: String) {
    self.contentType = contentType
    self.body = body
  }
}

/// The parts of an event that a test may set to others than the vendor's.
public struct VendorEventChanges: Sendable {
  /// Claims that are added or replaced; null leaves one out.
  public var claims: [String: JSONValue] = [:]
  /// Header members that are added or replaced; null leaves one out.
  public var header: [String: JSONValue] = [:]
  /// The key that signs; nil for the vendor's.
  public var key: SigningKey?

  /// Makes changes; none by default.
  public init(
    claims: [String: JSONValue] = [:], header: [String: JSONValue] = [:], key: SigningKey? = nil
  ) {
    self.claims = claims
    self.header = header
    self.key = key
  }
}

extension FakeVendor {
  /// Signs the claims of an event with the vendor's key.
  fileprivate func eventToken(
    _ claims: [String: JSONValue], _ changes: VendorEventChanges
  ) throws -> String {
    let all = claims.merging(changes.claims) { _, new in new }.filter { $0.value != .null }
    let key = try changes.key ?? endpoints.records.keys.current()
    return try key.jws(.object(all), header: changes.header)
  }

  fileprivate var seconds: JSONValue {
    .integer(endpoints.records.clock().milliseconds / 1000)
  }

  /// Makes a Security Event Token about a person (RFC 8417), in the request that pushes it (RFC 8935).
  fileprivate func securityEvent(
    _ type: String, about person: FakePerson, id: String, issuer: String,
    member: [String: JSONValue], _ changes: VendorEventChanges
  ) throws -> VendorMessage {
    let subject: JSONValue = [
      "subject_type": "iss-sub", "iss": .string(issuer), "sub": .string(person.subject),
    ]
    let event = member.merging(["subject": subject]) { own, _ in own }.filter { $0.value != .null }
    let claims: [String: JSONValue] = [
      "iss": .string(issuer), "aud": .string(FakeClient.web.id), "iat": seconds,
      "jti": .string(id),
      "events": .object(["https://schemas.openid.net/secevent/\(type)": .object(event)]),
    ]
    return VendorMessage(
      contentType: "application/secevent+jwt", body: try eventToken(claims, changes))
  }
}

extension FakeGoogle {
  /// The URL of the RISC configuration.
  public var riscURL: String { server.url(GoogleEndpoints.risc) }

  /// Makes an event of Cross-Account Protection, such as `risc/event-type/sessions-revoked`.
  ///
  /// `member` is added to the event, in place of its subject if it has one.
  public func event(
    _ type: String, about person: FakePerson, id: String,
    member: [String: JSONValue] = [:], _ changes: VendorEventChanges = VendorEventChanges()
  ) throws -> VendorMessage {
    // Google's issuer has a slash in events alone.
    try securityEvent(
      type, about: person, id: id, issuer: "\(issuer)/", member: member, changes)
  }
}

extension FakeOIDC {
  /// Makes a Security Event Token of the issuer.
  public func event(
    _ type: String, about person: FakePerson, id: String,
    member: [String: JSONValue] = [:], _ changes: VendorEventChanges = VendorEventChanges()
  ) throws -> VendorMessage {
    var changes = changes
    changes.header = ["typ": "secevent+jwt"].merging(changes.header) { _, new in new }
    return try securityEvent(
      type, about: person, id: id, issuer: issuer, member: member, changes)
  }

  /// Makes the request of a back-channel logout (OpenID Connect Back-Channel Logout 1.0).
  public func logout(
    of person: FakePerson, id: String, _ changes: VendorEventChanges = VendorEventChanges()
  ) throws -> VendorMessage {
    var changes = changes
    changes.header = ["typ": "logout+jwt"].merging(changes.header) { _, new in new }
    let now = endpoints.records.clock().milliseconds / 1000
    let token = try eventToken(
      [
        "iss": .string(issuer), "aud": .string(FakeClient.web.id), "iat": .integer(now),
        "exp": .integer(now + 120), "jti": .string(id), "sub": .string(person.subject),
        "events": ["http://schemas.openid.net/event/backchannel-logout": [:]],
      ], changes)
    return VendorMessage(
      contentType: "application/x-www-form-urlencoded",
      body: URLText.form([(name: "logout_token", value: token)]))
  }
}

extension FakeApple {
  /// Makes a server-to-server notification, such as `consent-revoked`.
  ///
  /// `event` is added to the event, whose time is in milliseconds as Apple's.
  public func notification(
    _ type: String, about person: FakePerson, id: String, event: [String: JSONValue] = [:],
    _ changes: VendorEventChanges = VendorEventChanges()
  ) throws -> VendorMessage {
    let now = endpoints.records.clock().milliseconds
    let usual: [String: JSONValue] = [
      "type": .string(type), "sub": .string(person.subject), "event_time": .integer(now),
    ]
    let members = usual.merging(event) { _, new in new }.filter { $0.value != .null }
    let token = try eventToken(
      [
        "iss": .string(issuer), "aud": .string(FakeClient.web.id), "iat": .integer(now / 1000),
        "jti": .string(id), "events": .string(JSONValue.object(members).text),
      ], changes)
    return VendorMessage(
      contentType: "application/json",
      body: JSONValue.object(["payload": .string(token)]).text)
  }
}

extension FakeFacebook {
  /// Makes the request of the deauthorise and the data deletion callback.
  ///
  /// `claims` are added or replaced, and null leaves one out; `secret` is that of another app.
  public func signedRequest(
    about person: FakePerson, claims: [String: JSONValue] = [:], secret: String? = nil
  ) -> VendorMessage {
    let usual: [String: JSONValue] = [
      "algorithm": "HMAC-SHA256", "user_id": .string(person.subject), "issued_at": seconds,
    ]
    let members = usual.merging(claims) { _, new in new }.filter { $0.value != .null }
    let payload = Base64.url.text(Array(JSONValue.object(members).text.utf8))
    let key = SymmetricKey(data: Data((secret ?? FakeClient.web.secret ?? "").utf8))
    let signature = HMAC<SHA256>.authenticationCode(for: Data(payload.utf8), using: key)
    return VendorMessage(
      contentType: "application/x-www-form-urlencoded",
      body: URLText.form([
        (name: "signed_request", value: "\(Base64.url.text(Array(signature))).\(payload)")
      ]))
  }
}
