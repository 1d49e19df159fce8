import AuthCore
import AuthTesting
import FakeVendors
import HTTPClientTransport
import Testing
import TestSupport

@Suite(.serialized) struct `A vendor that misbehaves on the wire` {
  @Test(arguments: Endpoint.allCases)
  func `is asked at every endpoint of the list`(_ endpoint: Endpoint) async throws {
    try await withProviders { home in
      let vendor = try #require(endpoint.way.vendor)

      _ = try await home.signIn(try await home.credential(endpoint.way, for: endpoint.person))

      #expect(!home.vendors[vendor].server.requests(to: endpoint.path).isEmpty)
    }
  }

  @Test func `is asked nowhere else`() async throws {
    try await withProviders { home in
      for endpoint in Endpoint.allCases {
        var person = FakePerson.named("person-\(home.next())")
        if endpoint.person.email == nil { person = FakePerson(subject: person.subject) }
        _ = try await home.open(endpoint.way, for: person)
      }
      for vendor in Vendor.allCases {
        let known = Endpoint.allCases.filter { $0.way.vendor == vendor }.map(\.path)
        let asked = Set(home.vendors[vendor].server.requests.map(\.path))
        let browser = asked.filter { $0.hasSuffix("auth") || $0.contains("/authorize") }
        #expect(asked.subtracting(known).subtracting(browser).isSubset(of: ["/v24.0/dialog/oauth"]))
      }
    }
  }

  @Test(arguments: Endpoint.allCases, HostileTransport.all { $0.mustFail && !$0.takesTime })
  func `is an error that says so, and opens no account`(
    _ endpoint: Endpoint, _ behavior: HostileTransport
  ) async throws {
    try await expectFailure(endpoint, behavior)
  }

  @Test(arguments: Endpoint.allCases)
  func `gets a sign-in or a refusal for JSON that is called a page`(
    _ endpoint: Endpoint
  ) async throws {
    try await misbehaving(endpoint, .wrongContentType) { home, credential in
      do {
        _ = try await home.signIn(credential)
        #expect(try await home.accountCount() == 1)
      } catch let error as AuthError {
        #expect(error.step != nil)
        #expect(try await home.accountCount() == 0)
      }
    }
  }

  @Test(arguments: Vendor.allCases)
  func `has used nothing up: the same token signs in when it is back`(
    _ vendor: Vendor
  ) async throws {
    try await withProviders { home in
      let credential = try await home.credential(vendor.tokenWay, for: .ada)
      home.vendors[vendor].server.misbehave(.serverError)
      await expectError(.networkRequestFailed) { try await home.signIn(credential) }

      home.vendors[vendor].server.behave()
      home.clock.advance(seconds: 61)

      #expect(try await home.signIn(credential).isNewUser)
    }
  }
}

@Suite(.serialized) struct `A vendor that takes its time` {
  @Test(arguments: Endpoint.allCases, HostileTransport.all { $0.mustFail && $0.takesTime })
  func `is given up at last, with an error that says so`(
    _ endpoint: Endpoint, _ behavior: HostileTransport
  ) async throws {
    try await expectFailure(endpoint, behavior)
  }

  @Test(arguments: Endpoint.allCases)
  func `is waited for if it is only slow`(_ endpoint: Endpoint) async throws {
    try await misbehaving(endpoint, .slow) { home, credential in
      let result = try await home.signIn(credential)

      #expect(result.isNewUser)
    }
  }
}

extension HostileTransport {
  /// True if a caller waits for it, or tries again after a pause.
  fileprivate var takesTime: Bool { [.neverAnswers, .closes, .slow].contains(self) }

  fileprivate static func all(where isMeant: (HostileTransport) -> Bool) -> [HostileTransport] {
    allCases.filter(isMeant)
  }
}

/// Signs in by way of the endpoint, and expects an error and nothing else.
private func expectFailure(_ endpoint: Endpoint, _ behavior: HostileTransport) async throws {
  try await misbehaving(endpoint, behavior) { home, credential in
    let began = ContinuousClock.now

    let error = await expectError(.networkRequestFailed, .quotaExceeded) {
      try await home.signIn(credential)
    }

    #expect(error?.step != nil)
    #expect(error?.remedy != nil)
    #expect(try await home.accountCount() == 0)
    let event = try await home.newestEvent()
    #expect(event.action == .signIn)
    #expect(event.errorCode == error?.code.rawValue)
    let vendor = try #require(endpoint.way.vendor)
    #expect(home.vendors[vendor].server.requests(to: VendorServer.elsewhere).isEmpty)
    // A guard against hanging, far above the usual time.
    #expect(ContinuousClock.now - began < .seconds(30))
  }
}

/// Makes a genuine credential, and makes the endpoint misbehave from then on.
private func misbehaving(
  _ endpoint: Endpoint, _ behavior: HostileTransport,
  _ body: (ProviderHome, Credential) async throws -> Void
) async throws {
  var hurried: HurriedTransport?
  try await withProviders(through: { transport in
    let silent = behavior == .neverAnswers ? endpoint.path : nil
    let wrapped = HurriedTransport(transport, at: silent, timeout: .milliseconds(200))
    hurried = wrapped
    return wrapped
  }) { home in
    let credential = try await home.credential(endpoint.way, for: endpoint.person)
    let server = home.vendors[try #require(endpoint.way.vendor)].server
    server.slowness = .milliseconds(100)
    server.misbehave(behavior, at: endpoint.path)
    try await body(home, credential)
  }
  // The provider's own timeout.
  let longest = try #require(hurried).longestTimeout
  #expect(longest <= .seconds(10))
}
