import AuthCore
import AuthTesting
import FakeVendors
import Testing
import TestSupport

@Suite(.serialized) struct `Hostile access tokens` {
  static let ways: [Way] = [.googleAccessToken, .facebookAccessToken, .plainAccessToken]

  private func credential(
    _ home: ProviderHome, _ way: Way, clientID: String = FakeClient.web.id, seconds: Int64 = 3600
  ) throws -> Credential {
    let vendor = home.vendors[try #require(way.vendor)]
    return try home.make(
      way,
      ["accessToken": vendor.accessToken(for: .ada, clientID: clientID, seconds: seconds)])
  }

  private func expectRefusal(
    _ home: ProviderHome, _ credential: Credential,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> AuthError {
    let error = await expectError(.invalidCredential, sourceLocation: sourceLocation) {
      try await home.signIn(credential)
    }
    #expect(try await home.accountCount() == 0, sourceLocation: sourceLocation)
    let event = try await home.newestEvent()
    #expect(event.errorCode == error?.code.rawValue, sourceLocation: sourceLocation)
    if let token = credential["accessToken"] {
      #expect(
        error.map { String(reflecting: $0).contains(token) } == false,
        sourceLocation: sourceLocation)
    }
    return try error.unwrapped("error")
  }

  @Test(arguments: ways)
  func `attack 14: a token of another developer's app is refused`(_ way: Way) async throws {
    try await withProviders { home in
      let foreign = try credential(home, way, clientID: FakeClient.foreign.id)

      let error = try await expectRefusal(home, foreign)

      #expect(error.step == .token)
      // Vendors name the field differently.
      let field =
        switch way {
        case .googleAccessToken: "aud"
        case .facebookAccessToken: "app_id"
        default: "accessToken"
        }
      #expect(error.field == field)
      // The profile endpoint, which answers for any app's token, was not requested.
      #expect(home.vendors.google.server.requests(to: "/v1/userinfo").isEmpty)
      #expect(home.vendors.facebook.server.requests(to: "/v24.0/me").isEmpty)
      #expect(home.vendors.plain.server.requests(to: "/userinfo").isEmpty)
    }
  }

  @Test(arguments: ways)
  func `a token that is over is refused`(_ way: Way) async throws {
    try await withProviders { home in
      let short = try credential(home, way, seconds: 60)
      home.clock.advance(seconds: 61)

      #expect(try await expectRefusal(home, short).step == .token)
      let over = try credential(home, way, seconds: -1)
      #expect(try await expectRefusal(home, over).step == .token)
    }
  }

  @Test(arguments: ways)
  func `a token that was never issued is refused`(_ way: Way) async throws {
    try await withProviders { home in
      let unknown = try home.make(way, ["accessToken": "nobody-gave-this-token"])

      #expect(try await expectRefusal(home, unknown).step == .token)
    }
  }

  @Test(arguments: ways)
  func `attack 19: a profile of another person is refused`(_ way: Way) async throws {
    try await withProviders { home in
      home.vendors[try #require(way.vendor)].misbehave { $0.profilePerson = .bo }

      let error = try await expectRefusal(home, try credential(home, way))

      #expect(error.step == .profile)
    }
  }

  @Test func `attack 19: by code, Facebook's profile has to be of the token's person`()
    async throws
  {
    try await withProviders { home in
      home.vendors.facebook.misbehave { $0.profilePerson = .bo }

      let error = try await expectRefusal(home, try await home.credential(.facebookCode, for: .ada))

      #expect(error.step == .profile)
    }
  }

  @Test(arguments: [Vendor.oidc, .acme, .script])
  func `attack 19: an OpenID provider's profile has to be of the ID token's person`(
    _ vendor: Vendor
  ) async throws {
    try await withProviders { home in
      let oidc = home.vendors[vendor]
      let silent = FakePerson(subject: FakePerson.ada.subject)
      oidc.misbehave { $0.profilePerson = .bo }
      let byToken = try home.make(
        vendor.tokenWay,
        [
          "idToken": try oidc.idToken(for: silent),
          "accessToken": oidc.accessToken(for: silent),
        ])
      let byCode = try await home.credential(vendor.codeWay, for: silent)

      for credential in [byToken, byCode] {
        #expect(try await expectRefusal(home, credential).step == .profile)
      }
    }
  }
}
