import AuthCore
import AuthTesting
import FakeVendors
import Testing

/// The cases of OpenID's conformance profiles about keys; ``RelyingParty`` has the list of all cases.
@Suite struct `Relying party: keys` {
  @Test(arguments: RelyingParty.Path.allCases, [SigningAlgorithm.rs256, .es256])
  func `rp-id_token-kid-absent-single-jwks: a token without kid is checked with the only key`(
    path: RelyingParty.Path, algorithm: SigningAlgorithm
  ) async throws {
    try await RelyingParty.run({ $0.algorithm = algorithm }) { party in
      let identity = try await party.signIn(path, .header(["kid": .null]))
      #expect(identity.key?.subject == FakePerson.ada.subject)
    }
  }

  @Test(arguments: RelyingParty.Path.allCases, [SigningAlgorithm.rs256, .es256])
  func `rp-id_token-kid-absent-multiple-jwks: a token without kid is refused if two keys fit`(
    path: RelyingParty.Path, algorithm: SigningAlgorithm
  ) async throws {
    try await RelyingParty.run({ $0.algorithm = algorithm }) { party in
      try party.vendor.rotateKeys(keepingOld: true)
      try await party.refuses(path, .header(["kid": .null]), field: "kid")
      // With its name the key is found among the two.
      try await party.signIn(path)
    }
  }

  @Test(arguments: RelyingParty.Path.allCases)
  func `rp-key-rotation-op-sign-key: a new key is fetched, and the old one is worth nothing`(
    path: RelyingParty.Path
  ) async throws {
    try await RelyingParty.run { party in
      try await party.signIn(path)
      let old = try party.vendor.idToken(for: .ada, nonce: RelyingParty.nonce)

      try party.vendor.rotateKeys(keepingOld: false)
      party.clock.advance(seconds: 61)
      let identity = try await party.signIn(path)
      let error = try await party.provider.refusal(
        "idToken", ["idToken": old, "nonce": RelyingParty.nonce], party.settings,
        at: party.clock.now)

      #expect(identity.key?.subject == FakePerson.ada.subject)
      #expect(error.field == "kid")
      #expect(party.vendor.server.requests(to: "/jwks").count == 2)
    }
  }

  @Test
  func `rp-key-rotation-op-sign-key-native: a token of the old key is taken while that is listed`()
    async throws
  {
    try await RelyingParty.run { party in
      try await party.signIn(.idToken)
      let before = try party.vendor.idToken(for: .ada, nonce: RelyingParty.nonce)
      try party.vendor.rotateKeys(keepingOld: true)
      party.clock.advance(seconds: 61)

      try await party.signIn(.idToken)
      let identity = try await party.provider.verify(
        "idToken", ["idToken": before, "nonce": RelyingParty.nonce], party.settings,
        at: party.clock.now)

      #expect(identity.key?.subject == FakePerson.ada.subject)
      #expect(party.vendor.server.requests(to: "/jwks").count == 2)
    }
  }

  @Test(arguments: RelyingParty.Path.allCases)
  func `rp-discovery-jwks_uri-keys: keys come from the address in the document, once`(
    path: RelyingParty.Path
  ) async throws {
    try await RelyingParty.run({ $0.keysPath = "/somewhere/else/keys" }) { party in
      try await party.signIn(path)
      try await party.signIn(path)
      #expect(party.vendor.server.requests(to: "/somewhere/else/keys").count == 1)
    }
  }

  @Test(arguments: [HostileToken.jkuHeader, .x5uHeader, .jwkHeader])
  func `attack 17: no key comes from the token`(fault: HostileToken) async throws {
    try await RelyingParty.run { party in
      for path in RelyingParty.Path.allCases {
        let header = [HostileToken.jkuHeader: "jku", .x5uHeader: "x5u", .jwkHeader: "jwk"]
        try await party.refuses(path, .fault(fault), field: header[fault] ?? "")
      }
      let requests = party.vendor.server.requests
      #expect(!requests.contains { $0.path.hasPrefix("/attacker") })
    }
  }
}
