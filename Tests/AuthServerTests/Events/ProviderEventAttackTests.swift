import AuthCore
import AuthTesting
import FakeVendors
import Testing

@testable import IdentityToolkitService

/// Events that no vendor sent, or not for this app.
@Suite(.serialized) struct `Attacks with events of vendors` {
  private static let google = Federation.google
  private static let facebook = Federation.facebook
  private static let revoked = "risc/event-type/sessions-revoked"

  /// A fault of an otherwise genuine Security Event Token, and the error code of RFC 8935 for it.
  struct Fault: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let code: String
    let changes: VendorEventChanges

    init(_ name: String, _ code: String, _ changes: VendorEventChanges) {
      testDescription = name
      self.code = code
      self.changes = changes
    }
  }

  private static let start: Int64 = 1_750_000_000

  private static let faults = [
    Fault(
      "the claim of another issuer", "invalid_issuer",
      VendorEventChanges(claims: ["iss": "https://evil.example"])),
    Fault("no issuer", "invalid_issuer", VendorEventChanges(claims: ["iss": .null])),
    Fault(
      "another app's ID", "invalid_audience",
      VendorEventChanges(claims: ["aud": .string(FakeClient.foreign.id)])),
    Fault("no audience", "invalid_audience", VendorEventChanges(claims: ["aud": .null])),
    Fault(
      "an empty audience", "invalid_audience", VendorEventChanges(claims: ["aud": .array([])])),
    Fault(
      "a stranger's key under an unknown ID", "invalid_key",
      VendorEventChanges(key: .p256(keyID: "stranger"))),
    Fault(
      "an event of a year ago", "invalid_request",
      VendorEventChanges(claims: ["iat": .integer(start - 31_536_000)])),
    Fault(
      "an event of tomorrow", "invalid_request",
      VendorEventChanges(claims: ["iat": .integer(start + 86_400)])),
    Fault("no time", "invalid_request", VendorEventChanges(claims: ["iat": .null])),
    Fault("no ID", "invalid_request", VendorEventChanges(claims: ["jti": .null])),
    Fault("an empty ID", "invalid_request", VendorEventChanges(claims: ["jti": ""])),
    Fault("no events", "invalid_request", VendorEventChanges(claims: ["events": .null])),
    Fault(
      "an empty list of events", "invalid_request", VendorEventChanges(claims: ["events": [:]])),
    Fault("a nonce", "invalid_request", VendorEventChanges(claims: ["nonce": "n"])),
    Fault(
      "the type of an access token", "invalid_request",
      VendorEventChanges(header: ["typ": "at+jwt"])
    ),
    Fault(
      "the address of its key", "invalid_request",
      VendorEventChanges(header: ["jku": "https://evil.example/keys"])),
  ]

  @Test(arguments: faults)
  func `a token with a fault is refused and changes nothing`(_ fault: Fault) async throws {
    try await withFederation(.production) { home in
      let ada = try await home.guest(Self.google)
      let message = try home.google.event(
        Self.revoked, about: .ada, id: "e1", fault.changes)

      let reply = try await home.send(message, to: Self.google)

      #expect(reply.status == 400, "\(reply.text)")
      #expect(reply.json["err"]?.stringValue == fault.code, "\(reply.text)")
      #expect(reply.json["description"]?.stringValue?.isEmpty == false)
      #expect(reply.headers["content-language"] == "en")
      #expect(try await home.renew(ada).status == 200)
      #expect(try await home.reported().isEmpty)
    }
  }

  @Test func `a stranger's signature under the vendor's key ID is refused`() async throws {
    try await withFederation(.production) { home in
      let ada = try await home.guest(Self.google)
      let keyID = try home.google.signingKey.keyID
      let stranger = try SigningKey.shared(77, keyID: keyID)

      let reply = try await home.send(
        try home.google.event(
          Self.revoked, about: .ada, id: "e1", VendorEventChanges(key: stranger)),
        to: Self.google)

      #expect(reply.status == 400 && reply.json["err"] == "invalid_key", "\(reply.text)")
      #expect(try await home.renew(ada).status == 200)
    }
  }

  @Test(arguments: ["none", "nOnE", "HS256"])
  func `a token without the vendor's signature is refused`(_ algorithm: String) async throws {
    try await withFederation(.production) { home in
      let ada = try await home.guest(Self.google)
      var message = try home.google.event(Self.revoked, about: .ada, id: "e1")
      let payload = message.body.split(separator: ".")[1]
      let header = Base64.url.text(Array("{\"alg\":\"\(algorithm)\",\"kid\":\"x\"}".utf8))
      message.body = "\(header).\(payload)."

      let reply = try await home.send(message, to: Self.google)

      #expect(reply.status == 400 && reply.json["err"] != nil, "\(reply.text)")
      #expect(try await home.renew(ada).status == 200)
    }
  }

  @Test func `an event counts once, and a repeat is answered like the first`() async throws {
    try await withFederation(.production) { home in
      _ = try await home.guest(Self.google)
      let message = try home.google.event(Self.revoked, about: .ada, id: "e1")
      let first = try await home.send(message, to: Self.google)
      home.server.clock.advance(seconds: 5)
      let again = try SignedUp(try await home.signIn(Self.google, .ada))

      let second = try await home.send(message, to: Self.google)

      #expect(first.status == 202 && second.status == 202 && second.text == first.text)
      #expect(try await home.renew(again).status == 200)
      #expect(try await home.reported().count == 1)
    }
  }

  @Test func `an ID token is no event, and an event is no ID token`() async throws {
    try await withFederation(.production) { home in
      let ada = try await home.guest(Self.google)
      let idToken = try home.google.idToken(for: .ada)
      let asEvent = try await home.send(
        VendorMessage(contentType: "application/secevent+jwt", body: idToken), to: Self.google)
      #expect(asEvent.status == 400, "\(asEvent.text)")

      home.server.clock.advance(seconds: 5)
      let now = home.server.clock.now.milliseconds / 1000
      let event = try home.google.event(
        Self.revoked, about: .ada, id: "e1",
        VendorEventChanges(claims: [
          "iss": .string(home.google.issuer), "sub": .string(FakePerson.ada.subject),
          "exp": .integer(now + 600),
        ]))
      let asToken = try await home.signIn(
        postBody: "providerId=google.com&id_token=\(event.body)")
      expectFailure(asToken, "INVALID_IDP_RESPONSE")
      #expect(try await home.renew(ada).status == 200)
    }
  }

  @Test func `an address in a subject identifies nobody`() async throws {
    try await withFederation(.production) { home in
      let ada = try await home.guest(Self.google)
      let message = try home.google.event(
        Self.revoked, about: .ada, id: "e1",
        member: ["subject": ["subject_type": "email", "email": "ada@example.com"]])

      #expect(try await home.send(message, to: Self.google).status == 202)
      #expect(try await home.renew(ada).status == 200)
    }
  }

  @Test func `an issuer says nothing about another issuer's people`() async throws {
    try await withFederation(.production) { home in
      let ada = try await home.guest(Self.google)
      let subject: JSONValue = [
        "format": "iss_sub", "iss": "https://other.example",
        "sub": .string(FakePerson.ada.subject),
      ]

      let reply = try await home.send(
        try home.google.event(Self.revoked, about: .ada, id: "e1", member: ["subject": subject]),
        to: Self.google)

      #expect(reply.status == 202)
      #expect(try await home.reported().isEmpty)
      #expect(try await home.renew(ada).status == 200)
    }
  }

  @Test(arguments: [
    ("text/plain", "x"), ("application/json", "{}"), ("application/secevent+jwt", ""),
    ("application/secevent+jwt", "x"), ("", "x"),
  ])
  func `a body of another kind is refused`(_ type: String, _ body: String) async throws {
    try await withFederation(.production) { home in
      let reply = try await home.send(
        VendorMessage(contentType: type, body: body), to: Self.google)

      #expect(reply.status == 400 && reply.json["err"] == "invalid_request", "\(reply.text)")
    }
  }

  @Test func `a body that is too long is refused before it is examined`() async throws {
    try await withFederation(.production) { home in
      let long = String(repeating: "a", count: ProviderEventRequest.maximumBytes + 1)

      let reply = try await home.send(
        VendorMessage(contentType: "application/secevent+jwt", body: long), to: Self.google)

      #expect(reply.status == 413, "\(reply.text)")
    }
  }

  @Test(arguments: ["anonymous", "password", "phone", "nobody.example", "oidc.none"])
  func `a provider without events has no address for them`(_ provider: String) async throws {
    try await withFederation(.production) { home in
      let reply = try await home.send(
        VendorMessage(contentType: "application/secevent+jwt", body: "x"),
        to: ProviderID(provider))

      #expect(reply.status == 404 && reply.json["err"] == "access_denied", "\(reply.text)")
    }
  }

  @Test func `an admin can turn a vendor's events off`() async throws {
    try await withFederation(.production) { home in
      _ = try await home.graph.configure(
        Self.google, values: ["events": false], by: home.server.admin)
      let reply = try await home.send(
        try home.google.event(Self.revoked, about: .ada, id: "e1"), to: Self.google)

      #expect(reply.status == 404)
    }
  }

  @Test(arguments: ["deauthorize", "delete"])
  func `a signed request of another app, of a sign-in or without a signature is refused`(
    _ topic: String
  ) async throws {
    try await withFederation(.production) { home in
      let ada = try await home.guest(Self.facebook)
      let genuine = home.facebook.signedRequest(about: .ada)
      var messages = [
        home.facebook.signedRequest(about: .ada, secret: "the-foreign-secret"),
        home.facebook.signedRequest(about: .ada, claims: ["algorithm": "none"]),
        home.facebook.signedRequest(about: .ada, claims: ["algorithm": .null]),
        home.facebook.signedRequest(about: .ada, claims: ["user_id": .null]),
        home.facebook.signedRequest(about: .ada, claims: ["issued_at": .null]),
        home.facebook.signedRequest(about: .ada, claims: ["issued_at": 1]),
        home.facebook.signedRequest(about: .ada, claims: ["code": "AQB"]),
        home.facebook.signedRequest(about: .ada, claims: ["oauth_token": "EAAB"]),
        VendorMessage(contentType: genuine.contentType, body: "signed_request=x.y"),
        VendorMessage(contentType: genuine.contentType, body: "signed_request=."),
        VendorMessage(contentType: genuine.contentType, body: ""),
        VendorMessage(contentType: "application/json", body: genuine.body),
      ]
      messages.append(
        VendorMessage(
          contentType: genuine.contentType, body: genuine.body + "&" + genuine.body))
      for message in messages {
        let reply = try await home.send(message, to: Self.facebook, topic: topic)
        #expect(reply.status == 400, "\(message.body): \(reply.text)")
      }
      #expect(try await home.send(genuine, to: Self.facebook).status == 400)
      #expect(try await home.send(genuine, to: Self.facebook, topic: "other").status == 400)
      #expect(try await home.stored(AccountID(ada.uid)).identities(of: Self.facebook).count == 1)
      #expect(try await home.renew(ada).status == 200)
    }
  }

  @Test func `a notification of Apple with a fault is refused`() async throws {
    try await withFederation(.production) { home in
      let ada = try await home.guest(.apple)
      let faults: [VendorEventChanges] = [
        VendorEventChanges(claims: ["aud": .string(FakeClient.foreign.id)]),
        VendorEventChanges(claims: ["iss": "https://evil.example"]),
        VendorEventChanges(claims: ["events": "no object"]),
        VendorEventChanges(claims: ["jti": .null]), VendorEventChanges(claims: ["iat": 1]),
        VendorEventChanges(key: .p256(keyID: "stranger")),
      ]
      for fault in faults {
        let reply = try await home.send(
          try home.apple.notification("consent-revoked", about: .ada, id: "n1", fault),
          to: .apple)
        #expect(reply.status == 400, "\(fault.claims): \(reply.text)")
      }
      #expect(try await home.stored(AccountID(ada.uid)).identities(of: .apple).count == 1)
    }
  }
}
