import AuthCore
import BuiltInProviders
import FakeVendors
import HTTPClientTransport
import Testing
import TestSupport

@Suite(.serialized) struct `Endpoints that lead inside` {
  /// Runs with a name server that gives every name these addresses.
  private func withNames(
    resolvingTo addresses: [String], _ body: (ProviderHome) async throws -> Void
  ) async throws {
    let transport = HTTPClientTransport(
      environment: [:], resolver: { _ in addresses.compactMap { IPAddress($0) } })
    try await withProviders(through: { _ in transport }, body)
    try await transport.shutdown()
  }

  /// An endpoint's setting, by its name in the configuration; a plug-in's vendor moves as a whole.
  private static let endpoints: [(Way, String)] = [
    (.googleIDToken, "keys"), (.googleAccessToken, "tokenInfo"), (.googleCode, "token"),
    (.facebookLimitedLogin, "keys"), (.facebookAccessToken, "debugToken"),
    (.facebookCode, "token"), (.appleIDToken, "keys"), (.appleCode, "token"),
    (.oidcIDToken, "keys"), (.acmeIDToken, "servers"), (.acmeCode, "servers"),
    (.scriptIDToken, "servers"), (.scriptCode, "servers"), (.plainAccessToken, "servers"),
    (.plainCode, "servers"),
  ]

  static let addresses: [[String]] = [
    ["127.0.0.1"], ["169.254.169.254"], ["::ffff:127.0.0.1"], ["10.0.0.8"], ["::1"],
    ["8.8.8.8", "127.0.0.1"],
  ]

  @Test(arguments: endpoints, addresses)
  func `attack 29: an endpoint's name that has a private address is not asked`(
    _ endpoint: (way: Way, name: String), _ addresses: [String]
  ) async throws {
    try await withNames(resolvingTo: addresses) { home in
      let vendor = try #require(endpoint.way.vendor)
      let server = home.vendors[vendor].server
      let credential = try await home.credential(endpoint.way, for: .ada)
      server.forgetRequests()
      let inside = "https://api.vendor.example:\(server.port)/inside"
      var settings: [String: JSONValue] =
        endpoint.name == "servers"
        ? ["servers": home.servers(of: vendor, at: inside)]
        : ["endpoints": [endpoint.name: .string(inside)]]
      // The issuer of an OpenID provider here has no TLS, so its own host has to stay private.
      if vendor != .oidc { settings["privateHosts"] = .null }
      try await home.configure(vendor, settings)

      let error = await expectError(.networkRequestFailed) { try await home.signIn(credential) }

      #expect(error?.message.contains("private address") == true)
      #expect(error?.step != nil)
      #expect(server.requests.isEmpty)
      #expect(try await home.accountCount() == 0)
    }
  }

  @Test(arguments: Vendor.allCases)
  func `attack 29: without private hosts an address of this machine is not asked`(
    _ vendor: Vendor
  ) async throws {
    try await withProviders { home in
      let credential = try await home.credential(vendor.tokenWay, for: .ada)
      home.vendors[vendor].server.forgetRequests()
      guard vendor != .oidc else {
        // An issuer without TLS is invalid and cannot be configured.
        await expectError(.invalidArgument) {
          try await home.configure(vendor, ["privateHosts": .null])
        }
        return
      }
      try await home.configure(vendor, ["privateHosts": .null])

      let error = await expectError(.networkRequestFailed) { try await home.signIn(credential) }

      #expect(error?.step != nil)
      #expect(home.vendors[vendor].server.requests.isEmpty)
    }
  }

  @Test(arguments: addresses)
  func `attack 29: an issuer's name that has a private address is not asked`(
    _ addresses: [String]
  ) async throws {
    try await withNames(resolvingTo: addresses) { home in
      let server = home.vendors.oidc.server
      let credential = try await home.credential(.oidcIDToken, for: .ada)
      server.forgetRequests()
      try await home.configure(
        .oidc,
        [
          "issuer": .string("https://login.vendor.example:\(server.port)"),
          "privateHosts": .null,
        ])

      let error = await expectError(.networkRequestFailed) { try await home.signIn(credential) }

      #expect(error?.message.contains("private address") == true)
      #expect(server.requests.isEmpty)
    }
  }

  /// The addresses that a discovery document may try to have requested.
  static let inside = [
    "https://127.0.0.1:PORT/keys", "http://127.0.0.1:PORT/keys", "https://localhost:PORT/keys",
    "https://[::ffff:127.0.0.1]:PORT/keys", "https://2130706433:PORT/keys",
    "https://169.254.169.254/latest/meta-data", "http://169.254.169.254/latest/meta-data",
    "file:///etc/passwd", "https://metadata.google.internal/keys",
  ]

  @Test(arguments: [Vendor.oidc, .acme], inside)
  func `attack 29: a discovery document does not send the server inside`(
    _ vendor: Vendor, _ address: String
  ) async throws {
    for member in ["jwks_uri", "token_endpoint", "userinfo_endpoint"] {
      try await expectNothingAsked(vendor, member, address)
    }
  }

  private func expectNothingAsked(
    _ vendor: Vendor, _ member: String, _ address: String
  ) async throws {
    let inner = try await VendorServer.start { _ in .json(["keys": []]) }
    try await withProviders { home in
      let url = address.replacing("PORT", with: "\(inner.port)")
      home.vendors[vendor].misbehave { $0.discovery = [member: .string(url)] }
      // A person whose token has no address, so that the profile is requested as well.
      let person = FakePerson(subject: FakePerson.ada.subject)

      let error = await expectError(.networkRequestFailed) {
        try await home.signIn(try await home.credential(vendor.codeWay, for: person))
      }
      let count = try await home.accountCount()

      #expect(error?.step != nil, "\(member)")
      #expect(inner.requests.isEmpty, "\(member)")
      #expect(count == 0, "\(member)")
    }
    await inner.stop()
  }
}
