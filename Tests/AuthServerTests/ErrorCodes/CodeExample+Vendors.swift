import AuthCore
import AuthTesting
import BuiltInProviders
import Crypto
import FakeVendors
import HTTPClientTransport

extension CodeExample {
  /// Vendors, their tokens and the services that send messages.
  static let vendors: [CodeExample] = [
    CodeExample(.invalidProviderID) { home in
      try home.graph.providers.credential(ProviderID("gogle.com"), [:])
    },
    CodeExample(.networkRequestFailed) { home in
      _ = try await home.graph.configure(
        .google, values: ["clientIDs": ["shop"]], by: home.admin)
      try await home.signIn(.google, ["accessToken": "token"])
    },
    CodeExample(.invalidCustomToken) { home in
      let issuer = "server@demo-shop.example"
      let key = P256.Signing.PrivateKey().pemRepresentation
      let publicKey = try CustomTokenIssuer(issuer: issuer, privateKey: Secret(key)).publicKey
      _ = try await home.graph.configure(
        .custom, values: ["publicKeys": [issuer: .string(publicKey)]], by: home.admin)
      try await home.signIn(.custom, ["token": "no token"])
    },
    CodeExample(.missingOrInvalidNonce) { _ in
      let home = CodeHome(transport: HTTPClientTransport())
      var configuration = FakeOIDC.Configuration()
      configuration.clock = { [clock = home.clock] in clock.now }
      let vendor = try await FakeOIDC.start(configuration)
      let work = ProviderID("oidc.work")
      do {
        _ = try await home.graph.configure(
          work,
          values: [
            "issuer": .string(vendor.issuer), "clientID": .string(FakeClient.web.id),
            "privateHosts": [.string(vendor.server.host)],
          ], by: home.admin)
        let token = try vendor.idToken(for: FakePerson(subject: "1"), nonce: "one sign-in")
        try await home.signIn(work, ["idToken": token, "nonce": "another sign-in"])
      } catch {
        await vendor.stop()
        throw error
      }
      await vendor.stop()
    },
    CodeExample(.userMismatch) { home in
      let ada = try await home.person()
      let key = IdentityKey(ForgetfulVendor.id, subject: "1")
      _ = try await home.graph.assert(
        key, profile: IdentityProfile(), on: ada, by: home.admin)
      return try await home.graph.refreshIdentity(
        key, of: ada, with: Secret("token"), by: home.admin)
    },
    CodeExample(.subjectReplaced) { home in
      try await home.link("1", to: try await home.person())
      let source = IdentitySource(CodeHome.vendor)
      let rekey = try await home.graph.planRekey(
        from: source, to: source, keepsSubjects: false, window: 0, by: home.admin)
      let (page, last) = try await home.graph.page(
        of: rekey, after: nil, limit: 10, in: home.scope)
      _ = try await home.graph.commit(
        rekey, page, last: last, map: [source.key("1"): source.key("2")],
        progress: RekeyProgress(), by: home.admin)
      try await home.signIn(home.credential("1"))
    },
    CodeExample(.identitySuspended) { _ in
      let home = CodeHome(transport: HTTPClientTransport())
      let vendor = try await FakeApple.start(
        FakeApple.Configuration(clock: { [clock = home.clock] in clock.now }))
      func signIn(_ nonce: String) async throws {
        let token = try vendor.idToken(for: .ada, nonce: nonce)
        try await home.signIn(.apple, ["idToken": token, "nonce": nonce])
      }
      do {
        _ = try await home.graph.configure(
          .apple, values: vendor.providerValues, secrets: vendor.providerSecrets, by: home.admin)
        try await signIn("1")
        let message = try vendor.notification("consent-revoked", about: .ada, id: "1")
        _ = try await home.graph.receiveEvents(
          of: .apple,
          ProviderEventRequest(
            headers: ["content-type": message.contentType], body: Array(message.body.utf8)),
          in: home.scope)
        try await signIn("2")
      } catch {
        await vendor.stop()
        throw error
      }
      await vendor.stop()
    },
    CodeExample(.quotaExceeded) { home in
      let sender = WebhookMessageSender(
        transport: BrokenVendor(status: 429), url: "https://messages.example/",
        secret: Secret("a secret"), clock: { [clock = home.clock] in clock.now })
      try await sender.send(
        OutgoingMessage(
          kind: .phoneSignIn, scope: home.scope, recipient: "+15555550123",
          proof: Secret("123456"), expiresAt: home.clock.now))
    },
  ]
}
