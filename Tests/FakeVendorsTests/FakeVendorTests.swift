import AuthCore
import FakeVendors
import Testing

@Suite struct FakeVendorTests {
  /// Every vendor, started.
  static func all() async throws -> [any FakeVendor] {
    [
      try await FakeOIDC.start(), try await FakeGoogle.start(), try await FakeFacebook.start(),
      try await FakeApple.start(),
    ]
  }

  @Test func `every vendor makes every hostile token`() async throws {
    for vendor in try await Self.all() {
      for hostile in HostileToken.allCases {
        let token = try vendor.idToken(for: .ada, nonce: "n1", hostile: hostile)
        #expect(!token.isEmpty, "\(type(of: vendor)): \(hostile)")
      }
      await vendor.stop()
    }
  }

  @Test func `every vendor puts the requested claims into a token`() async throws {
    for vendor in try await Self.all() {
      let token = try vendor.idToken(
        for: .ada, audience: "app", claims: ["extra": [1, "two"], "name": .null])
      let said = try claims(of: token)

      #expect(said["iss"] == .string(vendor.issuer))
      #expect(said["aud"] == "app")
      #expect(said["sub"] == .string(FakePerson.ada.subject))
      #expect(said["extra"] == [1, "two"])
      #expect(said["name"] == nil)
    }
  }

  @Test func `a person without details has a subject only`() async throws {
    for vendor in try await Self.all() {
      let said = try claims(of: vendor.idToken(for: FakePerson(subject: "1")))

      #expect(said["sub"] == "1")
      #expect(said["email"] == nil)
      #expect(said["email_verified"] == nil)
    }
  }

  @Test func `no vendor shares codes, tokens or people with another`() async throws {
    let one = try await FakeGoogle.start()
    let other = try await FakeGoogle.start()
    let token = one.accessToken(for: .mallory)

    #expect(try await Loopback.get(one.userInfoURL, bearer: token).status == 200)
    #expect(try await Loopback.get(other.userInfoURL, bearer: token).status == 401)
    #expect(other.server.requests.count == 1)
  }

  @Test func `a vendor's paths misbehave like a server's`() async throws {
    let vendor = try await FakeGoogle.start()
    vendor.server.misbehave(.serverError, at: "/oauth2/v3/certs", times: 1)

    #expect(try await Loopback.get(vendor.keysURL).status == 500)
    #expect(try await Loopback.get(vendor.keysURL).status == 200)
    #expect(vendor.server.requests(to: "/oauth2/v3/certs").count == 2)
  }

  @Test func `a server lives as long as its vendor`() async throws {
    var vendor: FakeOIDC? = try await FakeOIDC.start()
    weak let server = vendor?.server
    #expect(server != nil)

    vendor = nil

    #expect(server == nil)
  }
}
