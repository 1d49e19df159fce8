import AuthCore
import AuthTesting
import FakeVendors
import Testing

@Suite(.serialized) struct `Traffic for keys` {
  private static let keysPath = "/oauth2/v3/certs"
  /// A built-in provider, and plug-ins that verify by declaration and by script.
  static let vendors: [Vendor] = [.google, .acme, .script]

  private func keysPath(of vendor: Vendor) -> String {
    vendor == .google ? Self.keysPath : "/jwks"
  }

  /// Signs in with all of them at once, and counts the successes.
  private func signIn(_ credentials: [Credential], _ home: ProviderHome) async -> Int {
    await withTaskGroup(of: Bool.self) { group in
      for credential in credentials {
        group.addTask { (try? await home.signIn(credential)) != nil }
      }
      return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
    }
  }

  private func credentials(
    _ count: Int, _ home: ProviderHome, of vendor: Vendor = .google, hostile: HostileToken? = nil
  ) throws -> [Credential] {
    try (0..<count).map { number in
      try home.idTokenCredential(
        vendor.tokenWay, FakePerson(subject: "10\(number % 20)"), hostile: hostile)
    }
  }

  @Test(arguments: vendors)
  func `a thousand sign-ins at once with no keys ask for them once`(
    _ vendor: Vendor
  ) async throws {
    try await withProviders { home in
      let all = try credentials(1000, home, of: vendor)

      let successes = await signIn(all, home)

      #expect(successes == 1000)
      #expect(home.vendors[vendor].server.requests(to: keysPath(of: vendor)).count == 1)
    }
  }

  @Test(arguments: [Vendor.oidc, .acme])
  func `a thousand sign-ins at once at a new issuer ask for two documents once`(
    _ vendor: Vendor
  ) async throws {
    try await withProviders { home in
      let all = try credentials(1000, home, of: vendor)

      let successes = await signIn(all, home)

      #expect(successes == 1000)
      let asked = home.vendors[vendor].server.requests.map(\.path)
      #expect(asked == ["/.well-known/openid-configuration", "/jwks"])
    }
  }

  @Test func `keys that change in the midst of a thousand sign-ins refuse none of them`()
    async throws
  {
    try await withProviders { home in
      _ = await signIn(try credentials(1, home), home)
      home.clock.advance(seconds: 61)
      let old = try credentials(500, home)

      let successes = try await withThrowingTaskGroup(of: Bool.self) { group in
        for credential in old.prefix(250) {
          group.addTask { (try? await home.signIn(credential)) != nil }
        }
        try home.vendors.google.rotateKeys()
        let new = try credentials(500, home)
        for credential in new + old.suffix(250) {
          group.addTask { (try? await home.signIn(credential)) != nil }
        }
        return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
      }

      #expect(successes == 1000)
      #expect(home.vendors.google.server.requests(to: Self.keysPath).count == 2)
    }
  }

  @Test(arguments: vendors)
  func `a withdrawn key is believed no longer than its lifetime`(
    _ vendor: Vendor
  ) async throws {
    try await withProviders { home in
      _ = await signIn(try credentials(1, home, of: vendor), home)
      home.clock.advance(seconds: 19_801)
      let stolen = try credentials(3, home, of: vendor)
      try home.vendors[vendor].rotateKeys(keepingOld: false)
      let genuine = try credentials(3, home, of: vendor)

      #expect(await signIn(stolen, home) == 0)
      #expect(await signIn(genuine, home) == 3)
    }
  }

  @Test(arguments: [
    HostileTransport.serverError, .closes, .garbage, .redirectToAnotherHost, .neverAnswers,
  ])
  func `a sign-in with a known key succeeds while the vendor is down`(
    _ behavior: HostileTransport
  ) async throws {
    try await withProviders(through: { transport in
      HurriedTransport(
        transport, at: behavior == .neverAnswers ? Self.keysPath : nil,
        timeout: .milliseconds(200))
    }) { home in
      let google = home.vendors.google
      _ = await signIn(try credentials(1, home), home)
      // Past the lifetime of the vendor's keys, and then for another hour.
      home.clock.advance(seconds: 19_801)
      google.server.misbehave(behavior, at: Self.keysPath)
      for _ in 1...6 {
        home.clock.advance(seconds: 600)
        #expect(await signIn(try credentials(3, home), home) == 3)
      }

      google.server.behave()
      try google.rotateKeys()
      // Waits for a request that may still be open.
      _ = await signIn(try credentials(1, home), home)
      home.clock.advance(seconds: 61)
      #expect(await signIn(try credentials(3, home), home) == 3)
    }
  }

  @Test func `a vendor known to be down delays no sign-in if it falls silent`()
    async throws
  {
    try await withProviders { home in
      let server = home.vendors.google.server
      _ = await signIn(try credentials(1, home), home)
      home.clock.advance(seconds: 19_801)
      server.misbehave(.serverError, at: Self.keysPath)
      #expect(await signIn(try credentials(1, home), home) == 1)
      server.misbehave(.neverAnswers, at: Self.keysPath)
      home.clock.advance(seconds: 61)
      let began = ContinuousClock.now

      let successes = await signIn(try credentials(20, home), home)

      // A guard: a request without an answer times out after ten seconds.
      #expect(ContinuousClock.now - began < .seconds(9))
      #expect(successes == 20)
      try await server.wait(for: 3, requestsTo: Self.keysPath)
    }
  }

  @Test(arguments: vendors)
  func `a flood of unknown keys is one request in each interval`(_ vendor: Vendor) async throws {
    try await withProviders { home in
      _ = await signIn(try credentials(1, home, of: vendor), home)
      var requests = home.vendors[vendor].server.requests(to: keysPath(of: vendor)).count
      #expect(requests == 1)

      for _ in 1...3 {
        home.clock.advance(seconds: 61)
        let flood = try credentials(100, home, of: vendor, hostile: .unknownKeyID)
        #expect(await signIn(flood, home) == 0)
        let now = home.vendors[vendor].server.requests(to: keysPath(of: vendor)).count
        #expect(now - requests <= 1)
        requests = now
      }

      #expect(await signIn(try credentials(3, home, of: vendor), home) == 3)
    }
  }

  @Test func `a flood of unknown keys while the vendor is down is one request as well`()
    async throws
  {
    try await withProviders { home in
      home.vendors.google.server.misbehave(.serverError, at: Self.keysPath)

      let flood = try credentials(100, home, hostile: .unknownKeyID)

      #expect(await signIn(flood, home) == 0)
      #expect(home.vendors.google.server.requests(to: Self.keysPath).count == 1)
    }
  }
}
