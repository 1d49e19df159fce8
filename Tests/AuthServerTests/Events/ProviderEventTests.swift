import AuthCore
import AuthTesting
import FakeVendors
import Testing

@testable import IdentityToolkitService

/// Events that vendors send about people, over a socket and with the vendors' own keys.
@Suite(.serialized) struct `Events of vendors` {
  private static let google = Federation.google
  private static let facebook = Federation.facebook
  private static let revoked = "risc/event-type/sessions-revoked"

  @Test func `Google's end of sessions ends those of its identity alone`() async throws {
    try await withFederation(.production) { home in
      let byGoogle = try await home.guest(Self.google)
      let byPassword = try SignedUp(
        try await home.byPassword())

      let reply = try await home.send(
        try home.google.event(Self.revoked, about: .ada, id: "e1"), to: Self.google)

      #expect(reply.status == 202 && reply.text.isEmpty, "\(reply.text)")
      #expect(try await home.renew(byGoogle).message == "TOKEN_EXPIRED")
      #expect(try await home.renew(byPassword).status == 200)
      let lookup = try await home.server.post("/v1/accounts:lookup", byGoogle.session)
      #expect(lookup.message == "TOKEN_EXPIRED")
      let event = try #require(try await home.reported().last)
      #expect(event.accountID?.rawValue == byGoogle.uid && event.actor == "provider:google.com")
      #expect(event.details["effect"] == "sessions-ended" && event.concernsApps)
      #expect(event.trace.steps.map(\.rule).contains("vendor's event"))
    }
  }

  @Test func `a credential from before the event signs nobody in, and a later one does`()
    async throws
  {
    try await withFederation(.production) { home in
      _ = try await home.guest(Self.google)
      let kept = try home.postBody(Self.google, .ada)
      _ = try await home.send(
        try home.google.event(Self.revoked, about: .ada, id: "e1"), to: Self.google)

      expectFailure(try await home.signIn(postBody: kept), "INVALID_IDP_RESPONSE")
      home.server.clock.advance(seconds: 5)

      let fresh = try SignedUp(try await home.signIn(Self.google, .ada))
      #expect(try await home.renew(fresh).status == 200)
      let refused = try await home.graph.events(limit: 50, in: home.server.scope)
        .filter { $0.errorCode == "identity-suspended" }
      #expect(refused.count == 1)
    }
  }

  @Test func `a disabled Google account is suspended until Google lets the person in`()
    async throws
  {
    try await withFederation(.production) { home in
      let ada = try await home.guest(Self.google)
      let disabled = try home.google.event(
        "risc/event-type/account-disabled", about: .ada, id: "e1",
        member: ["reason": "hijacking"])

      #expect(try await home.send(disabled, to: Self.google).status == 202)

      #expect(try await home.mark(ada.uid, Self.google)?.suspendedBy == .accountDisabled)
      #expect(try await home.reported().last?.details["reason"] == "hijacking")
      expectTokens(try await home.byPassword())
      home.server.clock.advance(seconds: 5)
      expectTokens(try await home.signIn(Self.google, .ada))
      #expect(try await home.mark(ada.uid, Self.google)?.suspendedBy == nil)
    }
  }

  @Test func `an enabled account is no longer suspended, and an older event does not count`()
    async throws
  {
    try await withFederation(.production) { home in
      let ada = try await home.guest(Self.google)
      let old = try home.google.event("risc/event-type/account-disabled", about: .ada, id: "e1")
      let late = try home.google.event("risc/event-type/account-disabled", about: .ada, id: "e2")
      _ = try await home.send(old, to: Self.google)
      home.server.clock.advance(seconds: 60)
      let enabled = try home.google.event(
        "risc/event-type/account-enabled", about: .ada, id: "e3")

      _ = try await home.send(enabled, to: Self.google)
      #expect(try await home.mark(ada.uid, Self.google)?.suspendedBy == nil)
      _ = try await home.send(late, to: Self.google)

      #expect(try await home.mark(ada.uid, Self.google)?.suspendedBy == nil)
    }
  }

  @Test func `a consent that Apple revokes unlinks the identity and ends its sessions`()
    async throws
  {
    try await withFederation(.production) { home in
      let ada = try await home.guest(.apple)

      let reply = try await home.send(
        try home.apple.notification("consent-revoked", about: .ada, id: "n1"), to: .apple)

      #expect(reply.status == 200, "\(reply.text)")
      #expect(try await home.stored(AccountID(ada.uid)).identities(of: .apple).isEmpty)
      #expect(try await home.renew(ada).message == "TOKEN_EXPIRED")
      expectTokens(try await home.byPassword())
    }
  }

  @Test(arguments: ["account-delete", "account-deleted", "consent-revoked"])
  func `the last way in stays and is suspended`(_ type: String) async throws {
    try await withFederation(.production) { home in
      let ada = try SignedUp(try await home.signIn(.apple, .ada))

      _ = try await home.send(
        try home.apple.notification(type, about: .ada, id: "n1"), to: .apple)

      let account = try await home.stored(AccountID(ada.uid))
      let identity = try #require(account.identities(of: .apple).first)
      #expect(account.mark(of: identity)?.suspendedBy != nil)
      #expect((identity.profile.email == nil) == type.hasPrefix("account"))
      #expect(try await home.renew(ada).message == "TOKEN_EXPIRED")
      #expect(try await home.reported().last?.details["effect"] == "suspended")
    }
  }

  @Test func `an older event does not undo a newer authorization`() async throws {
    try await withFederation(.production) { home in
      let old = try home.apple.notification("consent-revoked", about: .ada, id: "n1")
      home.server.clock.advance(seconds: 60)
      let ada = try await home.guest(.apple)

      #expect(try await home.send(old, to: .apple).status == 200)

      #expect(try await home.stored(AccountID(ada.uid)).identities(of: .apple).count == 1)
      #expect(try await home.renew(ada).status == 200)
      #expect(try await home.reported().last?.details["effect"] == "outdated")
    }
  }

  @Test(arguments: ["email-disabled", "email-enabled"])
  func `a relay address that is off or on changes nothing, and the app is told`(
    _ type: String
  ) async throws {
    try await withFederation(.production) { home in
      let ada = try await home.guest(.apple)
      let before = try await home.stored(AccountID(ada.uid))

      _ = try await home.send(
        try home.apple.notification(
          type, about: .ada, id: "n1",
          event: ["email": "x@privaterelay.appleid.com", "is_private_email": "true"]),
        to: .apple)

      #expect(try await home.stored(AccountID(ada.uid)) == before)
      let event = try #require(try await home.reported().last)
      #expect(event.details["event"]?.stringValue == type && event.concernsApps)
    }
  }

  @Test func `Facebook's deauthorisation unlinks`() async throws {
    try await withFederation(.production) { home in
      let ada = try await home.guest(Self.facebook)

      let reply = try await home.send(
        home.facebook.signedRequest(about: .ada), to: Self.facebook, topic: "deauthorize")

      #expect(reply.status == 200, "\(reply.text)")
      #expect(try await home.stored(AccountID(ada.uid)).identities(of: Self.facebook).isEmpty)
    }
  }

  @Test func `Facebook's deletion is answered with a code, whose page tells its state`()
    async throws
  {
    try await withFederation(.production) { home in
      let ada = try await home.guest(Self.facebook)
      let message = home.facebook.signedRequest(about: .ada)

      let reply = try await home.send(message, to: Self.facebook, topic: "delete")
      let repeated = try await home.send(message, to: Self.facebook, topic: "delete")

      #expect(reply.status == 200 && reply.json == repeated.json, "\(reply.text)")
      let code = try reply.text("confirmation_code")
      let url = try reply.text("url")
      #expect(url.hasPrefix("http://localhost:9099/v1/") && url.hasSuffix("/events/\(code)"))
      #expect(try await home.stored(AccountID(ada.uid)).identities(of: Self.facebook).isEmpty)
      let path = String(url.dropFirst("http://localhost:9099".count))
      let page = try await home.server.call("GET", path)
      #expect(page.status == 200 && page.text.contains(code))
      let other = try await home.server.call("GET", path + "x")
      #expect(other.status == 404 && !other.text.contains(code))
    }
  }

  @Test func `an OpenID provider's events count only if an admin wants them`() async throws {
    try await withFederation(.production) { home in
      let ada = try await home.guest(Federation.work)
      let event = try home.oidc.event(
        "caep/event-type/session-revoked", about: .ada, id: "e1")
      #expect(try await home.send(event, to: Federation.work).status == 404)
      _ = try await home.graph.configure(
        Federation.work, values: ["events": true], by: home.server.admin)

      let reply = try await home.send(event, to: Federation.work)

      #expect(reply.status == 202, "\(reply.text)")
      #expect(try await home.renew(ada).message == "TOKEN_EXPIRED")
    }
  }

  @Test func `a back-channel logout ends the sessions of the issuer's person`() async throws {
    try await withFederation(.production) { home in
      _ = try await home.graph.configure(
        Federation.work, values: ["events": true], by: home.server.admin)
      let ada = try await home.guest(Federation.work)

      let reply = try await home.send(
        try home.oidc.logout(of: .ada, id: "l1"), to: Federation.work)

      #expect(reply.status == 200 && reply.headers["cache-control"] == "no-store", "\(reply.text)")
      #expect(try await home.renew(ada).message == "TOKEN_EXPIRED")
    }
  }

  @Test func `a test event is answered, and is about nobody`() async throws {
    try await withFederation(.production) { home in
      let message = try home.google.event(
        "risc/event-type/verification", about: .ada, id: "v1",
        member: ["subject": .null, "state": "a test"])

      #expect(try await home.send(message, to: Self.google).status == 202)
      #expect(try await home.reported().isEmpty)
    }
  }

  @Test func `an event about a person without account is recorded, and changes nothing`()
    async throws
  {
    try await withFederation(.production) { home in
      let ada = try await home.guest(Self.google)
      let before = try await home.stored(AccountID(ada.uid))

      let reply = try await home.send(
        try home.google.event(Self.revoked, about: .bo, id: "e1"), to: Self.google)

      #expect(reply.status == 202)
      #expect(try await home.stored(AccountID(ada.uid)) == before)
      let event = try #require(try await home.reported().last)
      #expect(event.accountID == nil && event.details["effect"] == "unknown")
      #expect(!event.concernsApps)
    }
  }

  @Test func `an event of a tenant concerns the tenant's accounts alone`() async throws {
    try await withFederation(.production) { home in
      let scope = Scope(project: ServerHome.project, tenant: "shop")
      _ = try await home.graph.createTenant(
        "shop", in: ServerHome.project, settings: ProjectSettings(), by: home.server.admin)
      var admin = home.server.admin
      admin.scope = scope
      _ = try await home.graph.configure(
        Self.google, values: home.google.providerValues, secrets: home.google.providerSecrets,
        by: admin)
      let outside = try await home.guest(Self.google)
      let inside = try SignedUp(try await home.signIn(Self.google, .ada, tenant: "shop"))

      let reply = try await home.send(
        try home.google.event(Self.revoked, about: .ada, id: "e1"), to: Self.google,
        at: "/v1/projects/\(ServerHome.project)/tenants/shop")

      #expect(reply.status == 202, "\(reply.text)")
      #expect(try await home.renew(outside).status == 200)
      #expect(try await home.renew(inside).message == "TOKEN_EXPIRED")
    }
  }
}
