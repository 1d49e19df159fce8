import AuthCore
import AuthTesting
import FakeVendors
import Testing
import TestSupport

@Suite(.serialized) struct `Sign-ins in a browser` {
  private func expectRefusal(
    _ home: ProviderHome, field: String? = nil, sourceLocation: SourceLocation = #_sourceLocation,
    _ body: () async throws -> AuthorizedCredential
  ) async throws {
    let count = try await home.accountCount()
    let error = await expectError(.invalidCredential, sourceLocation: sourceLocation, of: body)
    #expect(error?.step == .state, sourceLocation: sourceLocation)
    if let field { #expect(error?.field == field, sourceLocation: sourceLocation) }
    #expect(try await home.accountCount() == count, sourceLocation: sourceLocation)
  }

  /// Every vendor with every other one.
  static let pairs = Vendor.allCases.flatMap { began in
    Vendor.allCases.filter { $0 != began }.map { (began, $0) }
  }

  @Test(arguments: pairs)
  func `attack 12: a sign-in that began at one vendor does not end at another`(
    _ pair: (began: Vendor, ended: Vendor)
  ) async throws {
    try await withProviders { home in
      let callback = try await home.comeBack(from: pair.began, as: .ada)
      for vendor in Vendor.allCases { home.vendors[vendor].server.forgetRequests() }

      try await expectRefusal(home) { try await home.finish(callback, at: pair.ended) }
      // Its state is used up, so the code is useless at the right vendor too.
      try await expectRefusal(home, field: "state") { try await home.finish(callback) }

      for vendor in Vendor.allCases { #expect(home.vendors[vendor].server.requests.isEmpty) }
    }
  }

  @Test func `attack 12: a credential of one vendor's code is of no use at another`() async throws {
    try await withProviders { home in
      let callback = try await home.comeBack(from: .google, as: .ada)
      let genuine = try await home.finish(callback).credential
      let fields = ["code", "redirectURI", "codeVerifier", "nonce"].reduce(into: [:]) {
        $0[$1] = genuine[$1]
      }

      for vendor in Vendor.allCases where vendor != .google {
        await expectError(.invalidCredential) {
          try await home.signIn(try home.make(vendor.codeWay, fields))
        }
      }

      #expect(try await home.accountCount() == 0)
    }
  }

  @Test(arguments: [Vendor.oidc, .acme])
  func `attack 13: an issuer that promised its name has to give it`(_ vendor: Vendor) async throws {
    try await withProviders { home in
      home.vendors[vendor].misbehave { $0.responseIssuer = .missing }
      let nameless = try await home.comeBack(from: vendor, as: .ada)

      try await expectRefusal(home, field: "iss") { try await home.finish(nameless) }
    }
  }

  // OAuth 2 alone names no issuer: there the state keeps vendors apart, as attack 12 tries.
  @Test(arguments: Vendor.withIDTokens)
  func `attack 13: an issuer of another name is refused, even if none was promised`(
    _ vendor: Vendor
  ) async throws {
    try await withProviders { home in
      home.vendors[vendor].misbehave {
        $0.responseIssuer = .replaced("https://accounts.stranger.example")
      }
      let callback = try await home.comeBack(from: vendor, as: .ada)
      home.vendors[vendor].server.forgetRequests()

      try await expectRefusal(home, field: "iss") { try await home.finish(callback) }

      // The code was not sent anywhere.
      #expect(home.vendors[vendor].server.requests.isEmpty)
    }
  }

  @Test(arguments: Vendor.allCases)
  func `attack 10: an attacker's callback does nothing in the victim's session`(
    _ vendor: Vendor
  ) async throws {
    try await withProviders { home in
      let victim = try await home.opened(.emailLink, for: .ada)
      let attacker = try await home.opened(.emailLink, for: .named("eve"))
      // The attacker begins, as a sign-in or a link, and sends the callback's address to the victim.
      let signIn = try await home.comeBack(
        from: vendor, as: .named("eve"), session: "browser of eve")
      let link = try await home.comeBack(
        from: vendor, as: .named("eve"), session: "browser of eve", linkingTo: attacker.id,
        by: home.session(attacker.id))

      for callback in [signIn, link] {
        try await expectRefusal(home) {
          try await home.finish(
            callback, session: "browser of ada", by: home.session(victim.id))
        }
      }

      #expect(try await home.account(victim.id) == victim)
    }
  }

  @Test(arguments: Vendor.allCases)
  func `attack 10: a link is begun and finished by its account's own session alone`(
    _ vendor: Vendor
  ) async throws {
    try await withProviders { home in
      let victim = try await home.opened(.emailLink, for: .ada)
      let attacker = try await home.opened(.emailLink, for: .named("eve"))

      for caller in [home.session(attacker.id), home.anyone] {
        let error = await expectError {
          try await home.comeBack(
            from: vendor, as: .named("eve"), linkingTo: victim.id, by: caller)
        }
        #expect(error?.step == .state)
        let own = try await home.comeBack(
          from: vendor, as: .ada, linkingTo: victim.id, by: home.session(victim.id))
        try await expectRefusal(home) { try await home.finish(own, by: caller) }
      }

      #expect(try await home.account(victim.id) == victim)
    }
  }

  @Test(arguments: Vendor.allCases)
  func `a link that is finished in its own session names its account`(_ vendor: Vendor) async throws
  {
    try await withProviders { home in
      let account = try await home.opened(.phone, for: .ada)
      let callback = try await home.comeBack(
        from: vendor, as: .ada, linkingTo: account.id, by: home.session(account.id))

      let proven = try await home.finish(callback, by: home.session(account.id))
      let receipt = try await home.graph.link(
        proven.credential, to: try #require(proven.account), by: home.session(account.id))

      #expect(proven.account == account.id)
      #expect(receipt.accountID == account.id)
      #expect(try await home.account(account.id).identities.count == 2)
    }
  }

  @Test(arguments: Vendor.allCases)
  func `attack 11: a sign-in that began in one browser session does not end in another`(
    _ vendor: Vendor
  ) async throws {
    try await withProviders { home in
      let callback = try await home.comeBack(from: vendor, as: .ada, session: "browser A")
      home.vendors[vendor].server.forgetRequests()

      try await expectRefusal(home) { try await home.finish(callback, session: "browser B") }
      try await expectRefusal(home) { try await home.finish(callback, session: "browser A") }

      #expect(home.vendors[vendor].server.requests.isEmpty)
    }
  }

  @Test(arguments: Vendor.allCases)
  func `attack 18: one of twenty callbacks at once succeeds`(
    _ vendor: Vendor
  ) async throws {
    try await withProviders { home in
      let callback = try await home.comeBack(from: vendor, as: .ada)

      let heard = await withTaskGroup(of: Bool.self) { group in
        for _ in 1...20 { group.addTask { (try? await home.finish(callback)) != nil } }
        return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
      }

      #expect(heard == 1)
    }
  }

  @Test(
    arguments: [Vendor.oidc, .acme],
    ["javascript:alert(1)", "http://login.example.com/authorize", "//evil.example"])
  func `attack 29: a discovery document does not send the browser to an unsafe address`(
    _ vendor: Vendor, _ address: String
  ) async throws {
    try await withProviders { home in
      home.vendors[vendor].misbehave {
        $0.discovery = ["authorization_endpoint": .string(address)]
      }

      let error = await expectError(.networkRequestFailed) {
        try await home.comeBack(from: vendor, as: .ada)
      }

      #expect(error?.step != nil)
    }
  }

  @Test(arguments: Vendor.allCases)
  func `a callback of another state, without a code or after its time is refused`(
    _ vendor: Vendor
  ) async throws {
    try await withProviders { home in
      var unknown = try await home.comeBack(from: vendor, as: .ada)
      unknown.fields["state"] = "a-state-that-nobody-made"
      var stateless = try await home.comeBack(from: vendor, as: .ada)
      stateless.fields["state"] = nil
      var empty = try await home.comeBack(from: vendor, as: .ada)
      empty.fields["code"] = nil
      let late = try await home.comeBack(from: vendor, as: .ada)

      try await expectRefusal(home, field: "state") { try await home.finish(unknown) }
      try await expectRefusal(home, field: "state") { try await home.finish(stateless) }
      try await expectRefusal(home, field: "code") { try await home.finish(empty) }
      home.clock.advance(seconds: 901)
      try await expectRefusal(home, field: "state") { try await home.finish(late) }
    }
  }

  @Test(arguments: Vendor.allCases)
  func `attack 18: a stolen code is of no use without the verifier and the nonce`(
    _ vendor: Vendor
  ) async throws {
    try await withProviders { home in
      for missing in ["codeVerifier", "nonce"] {
        let victim = try await home.finish(try await home.comeBack(from: vendor, as: .ada))
        let own = try await home.finish(
          try await home.comeBack(from: vendor, as: .bo)
        ).credential
        var fields = ["redirectURI": ProviderHome.redirectURI]
        for name in ["codeVerifier", "nonce"] {
          fields[name] = name == missing ? own[name] : victim.credential[name]
        }
        fields["code"] = victim.credential["code"]
        // Codes without an ID token, as Facebook's unless one is requested, are bound by PKCE alone.
        if vendor.codeWay.restsOnAccessToken && missing == "nonce" { continue }

        let error = await expectError(.invalidCredential, .missingOrInvalidNonce) {
          try await home.signIn(try home.make(vendor.codeWay, fields))
        }

        #expect(error?.step == (missing == "nonce" ? .token : .exchange))
      }
      #expect(try await home.accountCount() == 0)
    }
  }
}
