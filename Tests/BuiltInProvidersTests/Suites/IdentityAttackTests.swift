import AuthCore
import AuthTesting
import FakeVendors
import Testing
import TestSupport

@Suite(.serialized) struct `The owner of an identity` {
  @Test func `attack 6: equal subjects of two issuers of one provider are two people`()
    async throws
  {
    try await withProviders { home in
      let other = "https://login.other-tenant.example"
      try await home.configure(.oidc, ["otherIssuers": [.string(other)]])
      try await home.trust(Vendor.oidc.provider)
      let victim = try await home.opened(.oidcIDToken, for: .ada)
      let silent = FakePerson(subject: FakePerson.ada.subject)

      let sameAddress = try home.idTokenCredential(
        .oidcIDToken, .ada, claims: ["iss": .string(other)])
      let sameSubject = try home.idTokenCredential(
        .oidcIDToken, silent, claims: ["iss": .string(other)])
      await expectError(.accountExistsWithDifferentCredential) {
        try await home.signIn(sameAddress)
      }
      let stranger = try await home.signIn(sameSubject).account

      #expect(stranger.id != victim.id)
      #expect(
        stranger.identities.map(\.key) == [
          IdentityKey(Vendor.oidc.provider, issuer: other, subject: silent.subject)
        ])
      #expect(try await home.account(victim.id) == victim)
    }
  }

  @Test(arguments: Vendor.withIDTokens)
  func `attack 7: a token of another issuer is refused without a request for its keys`(
    _ vendor: Vendor
  ) async throws {
    let attacker = try await FakeOIDC.start()
    try await withProviders { home in
      try await home.trust(vendor.provider)
      let victim = try await home.createAccount(email: FakePerson.ada.email, verified: true)
      let now = home.clock.now.milliseconds / 1000
      let token = try attacker.idToken(
        for: .ada, nonce: "raw-nonce",
        claims: ["iat": .integer(now), "exp": .integer(now + 3600)])
      let credential = try home.make(
        vendor.tokenWay, ["idToken": token, "nonce": "raw-nonce"])
      home.vendors[vendor].server.forgetRequests()

      let error = await expectError(.invalidCredential) { try await home.signIn(credential) }

      #expect(error?.step == .token)
      #expect(attacker.server.requests.isEmpty)
      #expect(try await home.account(victim.id) == victim)
      #expect(try await home.accountCount() == 1)
    }
    await attacker.stop()
  }

  @Test func `attack 7: a token of one configured provider is refused at another`() async throws {
    try await withProviders { home in
      for signer in Vendor.withIDTokens {
        for verifier in Vendor.withIDTokens where verifier != signer {
          let token = try home.vendors[signer].idToken(for: .ada, nonce: "raw-nonce")
          await expectError(.invalidCredential) {
            try await home.signIn(
              try home.make(verifier.tokenWay, ["idToken": token, "nonce": "raw-nonce"]))
          }
        }
      }
      #expect(try await home.accountCount() == 0)
    }
  }

  @Test(
    arguments: [Way.appleIDToken, .appleCode, .googleIDToken, .oidcIDToken, .acmeIDToken]
      + [.acmeCode, .scriptIDToken, .scriptCode, .plainAccessToken, .plainCode])
  func `attack 15: one subject is one user under any address, and another subject is not`(
    _ way: Way
  ) async throws {
    try await withProviders { home in
      try await home.trust(way.provider)
      let user = try await home.opened(way, for: .ada)
      var moved = FakePerson.ada
      moved.email = "ada.lovelace@example.org"
      var successor = FakePerson.named("successor", email: FakePerson.ada.email)
      successor.emailVerified = true

      let again = try await home.open(way, for: moved)
      let error = await expectError(.accountExistsWithDifferentCredential) {
        try await home.open(way, for: successor)
      }

      #expect(again.account.id == user.id)
      // A provider may not change the account's own address.
      #expect(again.account.email == user.email)
      #expect(again.account.identities.first?.profile.email == moved.email)
      #expect(error?.step == .decision)
      #expect(try await home.accountCount() == 1)
    }
  }

  @Test(arguments: [Way.appleIDToken, .appleCode])
  func `P5: a relay address is the account's, and matches on Apple's word`(_ way: Way) async throws
  {
    try await withProviders { home in
      let relay = "q7x9@privaterelay.appleid.com"
      let owner = try await home.createAccount(email: relay, verified: true)

      let found = try await home.open(way, for: .named("hidden", email: relay))
      let new = try await home.open(
        way, for: .named("another", email: "k2@privaterelay.appleid.com"))

      #expect(!found.isNewUser && found.account.id == owner.id)
      #expect(new.isNewUser && new.account.emailVerified)
      #expect(new.account.email?.text == "k2@privaterelay.appleid.com")
    }
  }

  @Test(arguments: [Way.googleIDToken, .oidcIDToken, .acmeIDToken, .scriptIDToken])
  func `P5: no other provider's word on a relay address counts, even if it is trusted`(
    _ way: Way
  ) async throws {
    try await withProviders { home in
      try await home.trust(way.provider)
      let relay = "Q7x9@PrivateRelay.AppleID.com"
      let owner = try await home.createAccount(email: relay, verified: true)
      var stranger = FakePerson.named("stranger", email: relay)
      stranger.emailVerified = true

      await expectError(.accountExistsWithDifferentCredential) {
        try await home.open(way, for: stranger)
      }

      #expect(try await home.account(owner.id) == owner)
      var other = FakePerson.named("other", email: "new@privaterelay.appleid.com")
      other.emailVerified = true
      let opened = try await home.opened(way, for: other)
      #expect(!opened.emailVerified)
    }
  }

  @Test(arguments: Vendor.renewing)
  func `attack 20: a renewal that names another subject is refused, and the link stays`(
    _ vendor: Vendor
  ) async throws {
    try await withProviders { home in
      let account = try await home.opened(vendor.tokenWay, for: .ada)
      let key = try #require(account.identities.first?.key)
      let token = try await home.refreshToken(of: vendor, for: .ada)
      let honest = try await home.graph.refreshIdentity(
        key, of: account.id, with: token, by: home.session(account.id))
      let before = try await home.account(account.id)
      home.vendors[vendor].misbehave { $0.refreshedPerson = .bo }

      let error = await expectError(.userMismatch) {
        try await home.graph.refreshIdentity(
          key, of: account.id, with: token, by: home.session(account.id))
      }

      #expect(honest.accountID == account.id)
      #expect(error?.step == .token)
      #expect(try await home.account(account.id) == before)
      #expect(try await home.newestEvent().errorCode == "user-mismatch")
    }
  }

  @Test func `attack 21: a provider that gives the address as the subject is refused`()
    async throws
  {
    let mutable = FakeProvider(id: ProviderID("careless.example"))
    try await withProviders(further: [mutable]) { home in
      let address = "ada@example.com"
      let careless = try home.graph.providers.credential(
        mutable.id, ["subject": address.uppercased(), "email": address])
      var credentials = [careless]
      for way in [Way.oidcIDToken, .acmeIDToken, .acmeCode, .scriptIDToken, .plainAccessToken] {
        let person = FakePerson(subject: address, email: address)
        credentials.append(try await home.credential(way, for: person))
      }

      for credential in credentials {
        let error = await expectError(.invalidCredential) { try await home.signIn(credential) }
        #expect(error?.field == "subject")
        #expect(error?.step == .profile)
      }
      #expect(try await home.accountCount() == 0)
    }
  }

  @Test(arguments: [Way.phone, .emailLink])
  func `attack 8: a proof for one account is of no use for another, nor to sign in`(
    _ way: Way
  ) async throws {
    try await withProviders { home in
      let a = try await home.opened(.appleIDToken, for: .named("a"))
      let b = try await home.opened(.appleIDToken, for: .named("b"))
      let proof =
        way == .phone
        ? try await home.phoneCode(for: .ada, account: a.id, by: home.session(a.id))
        : try await home.link(for: .ada, account: a.id, by: home.session(a.id))

      await expectError(.invalidVerificationID) {
        try await home.graph.link(proof, to: b.id, by: home.session(b.id))
      }
      await expectError(.invalidVerificationID) { try await home.signIn(proof) }
      await expectError(.operationNotAllowed) {
        try await home.phoneCode(for: .bo, account: a.id, by: home.session(b.id))
      }

      #expect(try await home.account(b.id) == b)
      _ = try await home.graph.link(proof, to: a.id, by: home.session(a.id))
      #expect(try await home.account(a.id).identities.count == 2)
    }
  }

  @Test func `attack 9: a link that was asked for before the address changed is void`()
    async throws
  {
    try await withProviders { home in
      let account = try await home.opened(.emailLink, for: .bo)
      let person = FakePerson.named("new-address")
      let google = try await home.opened(.phone, for: .ada)
      let proof = try await home.link(
        for: person, account: google.id, by: home.session(google.id))
      let message = try #require(home.messages.last(to: person.email))
      var changes = ProfileChanges()
      changes.email = .set(try EmailAddress("somewhere-else@example.org"))
      _ = try await home.graph.update(google.id, changes, by: home.admin)
      home.clock.advance(seconds: 1)
      let before = try await home.account(google.id)

      await expectError(.invalidVerificationID, .codeExpired) {
        try await home.graph.link(proof, to: google.id, by: home.session(google.id))
      }

      #expect(message.intent == "link")
      #expect(message.requestedFrom == "192.0.2.7 (Berlin)")
      #expect(try await home.account(google.id) == before)
      #expect(try await home.account(account.id) == account)
    }
  }

  @Test func `attack 9: a message names its origin and its purpose, sign-in or link`() async throws
  {
    try await withProviders { home in
      let account = try await home.opened(.phone, for: .ada)

      _ = try await home.link(for: .ada)
      let signIn = try #require(home.messages.last(to: FakePerson.ada.email))
      _ = try await home.link(for: .ada, account: account.id, by: home.session(account.id))
      let link = try #require(home.messages.last(to: FakePerson.ada.email))

      #expect(signIn.intent == "sign-in")
      #expect(link.intent == "link")
      #expect(signIn.requestedFrom == "192.0.2.7 (Berlin)")
      #expect(link.requestedFrom == signIn.requestedFrom)
    }
  }
}
