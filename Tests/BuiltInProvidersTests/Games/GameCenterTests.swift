import AuthCore
import AuthTesting
import BuiltInProviders
import FakeVendors
import Testing

@Suite struct `Game Center over loopback` {
  @Test func `a player's signature gives the ID for the team and no address`() async throws {
    try await withGameCenter { home in
      var fields = try home.vendor.signature(for: .ada).fields
      fields["displayName"] = "Ada"

      let identity = try await home.verify(fields)

      #expect(
        identity.key == IdentityKey(.gameCenter, subject: "T:_\(FakePerson.ada.subject)"))
      #expect(identity.profile.displayName == "Ada")
      #expect(identity.email == nil)
      #expect(!identity.emailVerified)
      #expect(identity.uses.count == 1)
      // What is not signed is no claim.
      #expect(
        identity.claims == [
          "playerID": .string("T:_\(FakePerson.ada.subject)"),
          "bundleID": .string(FakeGameCenter.bundleID),
        ])
    }
  }

  @Test func `signature and salt may be in the alphabet for URLs`() async throws {
    try await withGameCenter { home in
      let signature = try home.vendor.signature(for: .ada)
      var fields = signature.fields
      fields["signature"] = Base64.url.text(signature.signature)
      fields["salt"] = Base64.url.text(signature.salt)

      #expect(try await home.verify(fields).key?.subject == signature.playerID)
    }
  }

  @Test func `the app may be named, or is any of ours`() async throws {
    try await withGameCenter { home in
      let ours: JSONValue = ["com.example.other", .string(FakeGameCenter.bundleID)]
      var fields = try home.vendor.signature(for: .ada).fields
      #expect(
        try await home.verify(fields, ["bundleIDs": ours]).claims["bundleID"]
          == .string(FakeGameCenter.bundleID))

      fields["bundleID"] = "com.example.other"
      #expect(try await home.refusal(fields, ["bundleIDs": ours]).field == "signature")
    }
  }

  @Test func `an older ID counts only if an admin chose that`() async throws {
    try await withGameCenter { home in
      let fields = try home.vendor.signature(for: .ada, playerID: "G:1234").fields

      #expect(try await home.refusal(fields).field == "teamPlayerID")
      let identity = try await home.verify(fields, ["takesPlayerID": true])
      #expect(identity.key == IdentityKey(.gameCenter, subject: "G:1234"))
    }
  }

  @Test func `the certificate is fetched once, and again when it is old`() async throws {
    try await withGameCenter { home in
      for _ in 0..<3 {
        _ = try await home.verify(try home.vendor.signature(for: .ada).fields)
      }
      #expect(home.requestCount == 1)

      home.clock.advance(seconds: 3601)
      _ = try await home.verify(try home.vendor.signature(for: .bo).fields)
      #expect(home.requestCount == 2)
    }
  }

  @Test func `a provider that is not set up says which setting is missing`() async throws {
    try await withGameCenter { home in
      let fields = try home.vendor.signature(for: .ada).fields

      let error = try await home.refusal(fields, ["bundleIDs": []])

      #expect(error.code == .operationNotAllowed)
      #expect(error.field == "bundleIDs")
    }
  }
}
