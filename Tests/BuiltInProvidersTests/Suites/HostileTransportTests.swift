import AuthCore
import AuthTesting
import HTTPClientTransport
import Testing

/// A request that a way to sign in makes.
enum Endpoint: String, CaseIterable, Sendable, CustomStringConvertible {
  case googleKeys = "google.com /oauth2/v3/certs"
  case googleToken = "google.com /token"
  case googleTokenInfo = "google.com /tokeninfo"
  case googleUserInfo = "google.com /v1/userinfo"
  case facebookKeys = "facebook.com /.well-known/oauth/openid/jwks/"
  case facebookToken = "facebook.com /v19.0/oauth/access_token"
  case facebookDebugToken = "facebook.com /v19.0/debug_token"
  case facebookMe = "facebook.com /v19.0/me"
  case appleKeys = "apple.com /auth/keys"
  case appleToken = "apple.com /auth/token"
  case oidcDiscovery = "oidc.staff /.well-known/openid-configuration"
  case oidcKeys = "oidc.staff /jwks"
  case oidcToken = "oidc.staff /token"
  case oidcUserInfo = "oidc.staff /userinfo"

  var description: String { rawValue }
  var path: String { String(rawValue.drop { $0 != " " }.dropFirst()) }

  var way: Way {
    switch self {
    case .googleKeys: .googleIDToken
    case .googleToken: .googleCode
    case .googleTokenInfo, .googleUserInfo: .googleAccessToken
    case .facebookKeys: .facebookLimitedLogin
    case .facebookToken: .facebookCode
    case .facebookDebugToken, .facebookMe: .facebookAccessToken
    case .appleKeys: .appleIDToken
    case .appleToken: .appleCode
    case .oidcDiscovery, .oidcKeys: .oidcIDToken
    case .oidcToken, .oidcUserInfo: .oidcCode
    }
  }

  /// Somebody for whom the endpoint is asked: a profile only where the token tells no address.
  var person: FakePerson {
    self == .oidcUserInfo ? FakePerson(subject: FakePerson.ada.subject) : .ada
  }
}

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
        #expect(asked.subtracting(known).subtracting(browser).isSubset(of: ["/v19.0/dialog/oauth"]))
      }
    }
  }

  @Test(arguments: Endpoint.allCases, HostileTransport.allCases.filter(\.mustFail))
  func `is an error that says so, and opens no account`(
    _ endpoint: Endpoint, _ behavior: HostileTransport
  ) async throws {
    try await misbehaving(endpoint, behavior) { home, credential in
      let began = ContinuousClock.now

      let error = await refusal(.networkRequestFailed, .quotaExceeded) {
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
      // A guard against hanging, far above what it takes.
      #expect(ContinuousClock.now - began < .seconds(30))
    }
  }

  @Test(arguments: Endpoint.allCases)
  func `is waited for where it is only slow`(_ endpoint: Endpoint) async throws {
    try await misbehaving(endpoint, .slow) { home, credential in
      let result = try await home.signIn(credential)

      #expect(result.isNewUser)
    }
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
  func `has used nothing up: the same ID token signs in when it is back`(
    _ vendor: Vendor
  ) async throws {
    try await withProviders { home in
      let credential = try await home.credential(vendor.idTokenWay, for: .ada)
      home.vendors[vendor].server.misbehave(.serverError)
      await refusal(.networkRequestFailed) { try await home.signIn(credential) }

      home.vendors[vendor].server.behave()
      home.clock.advance(seconds: 61)

      #expect(try await home.signIn(credential).isNewUser)
    }
  }

  /// Makes a genuine credential, and has the endpoint misbehave from then on.
  private func misbehaving(
    _ endpoint: Endpoint, _ behavior: HostileTransport,
    _ body: (ProviderHome, AuthCredential) async throws -> Void
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
    // What a provider itself would wait.
    #expect(try #require(hurried).longestTimeout <= .seconds(10))
  }
}
