import AuthCore
import AuthTesting
import BuiltInProviders
import FakeVendors
import Testing
import TestSupport

@Suite struct `Attacks on Game Center` {
  @Test func `attack: a signature for another app is refused`() async throws {
    try await withGameCenter { home in
      let foreign = try home.vendor.signature(for: .ada, bundleID: "com.mallory.game").fields
      var named = foreign
      named["bundleID"] = "com.mallory.game"

      #expect(try await home.refusal(foreign).field == "signature")
      #expect(try await home.refusal(named).field == "bundleID")
    }
  }

  @Test func `attack: the beginning of another app's bundle ID becomes the end of a player's ID`()
    async throws
  {
    try await withGameCenter { home in
      let bundleID = FakeGameCenter.bundleID
      var fields = try home.vendor.signature(
        for: .bo, bundleID: "mallory.\(bundleID)", playerID: "T:_1"
      ).fields
      fields["teamPlayerID"] = "T:_1mallory."
      #expect(try await home.refusal(fields).field == "teamPlayerID")

      // The player G:12 of an app 34com.example.game is not the player G:1234 of ours.
      fields = try home.vendor.signature(for: .bo, bundleID: "34\(bundleID)", playerID: "G:12")
        .fields
      fields["playerID"] = "G:1234"
      #expect(try await home.refusal(fields).field == "teamPlayerID")
    }
  }

  @Test(arguments: ["teamPlayerID", "timestamp", "salt", "signature"])
  func `attack: a field that is not the signed one is refused`(_ field: String) async throws {
    try await withGameCenter { home in
      var fields = try home.vendor.signature(for: .bo).fields
      let other = try home.vendor.signature(for: .ada, at: home.clock.now.adding(seconds: -1))
      fields[field] = other.fields[field]

      let error = try await home.refusal(fields)

      #expect(error.code == .invalidCredential)
      #expect(error.field == "signature")
    }
  }

  @Test func `attack: another key's signature is refused`() async throws {
    try await withGameCenter { home in
      let signature = try home.vendor.signature(for: .ada)
      // The certificate in the cache is that of the old key.
      _ = try await home.verify(signature.fields)
      try home.vendor.rotateKeys()

      let error = try await home.refusal(try home.vendor.signature(for: .ada).fields)

      #expect(error.field == "signature")
    }
  }

  @Test(arguments: [(-600, true), (-601, false), (60, true), (61, false), (86_400, false)])
  func `attack: an old signature, and one of the future, is refused`(
    _ seconds: Int64, _ isTaken: Bool
  ) async throws {
    try await withGameCenter { home in
      let time = home.clock.now.adding(seconds: seconds)
      let fields = try home.vendor.signature(for: .ada, at: time).fields

      if isTaken {
        _ = try await home.verify(fields)
      } else {
        #expect(try await home.refusal(fields).field == "timestamp")
        #expect(home.requestCount == 0)
      }
    }
  }

  @Test(arguments: ["", "-1", "+1750000000000", "01750000000000", "1750000000000.0", "soon"])
  func `a time that is no number of milliseconds is refused`(_ text: String) async throws {
    try await withGameCenter { home in
      var fields = try home.vendor.signature(for: .ada).fields
      fields["timestamp"] = text

      let error = await #expect(throws: AuthError.self) { try await home.verify(fields) }

      #expect(error?.field == "timestamp")
      #expect(home.requestCount == 0)
    }
  }

  @Test func `attack: a certificate outside its validity is refused, from the cache too`()
    async throws
  {
    try await withGameCenter { home in
      // The fake's certificate is valid for a year from the first request.
      _ = try await home.verify(try home.vendor.signature(for: .ada).fields)
      home.vendor.server.misbehave(.serverError)
      home.clock.advance(seconds: 86_400 * 366)

      let error = try await home.refusal(try home.vendor.signature(for: .ada).fields)

      #expect(error.field == "publicKeyURL")
    }
  }

  @Test(arguments: [
    HostileTransport.redirectToAnotherHost, .garbage, .emptyBody, .oversizedBody, .serverError,
  ])
  func `attack: a redirect and an answer that is no certificate give no key`(
    _ fault: HostileTransport
  ) async throws {
    try await withGameCenter { home in
      home.vendor.server.misbehave(fault, at: FakeGameCenter.certificatePath)

      let error = try await home.refusal(try home.vendor.signature(for: .ada).fields)

      #expect(error.code == .networkRequestFailed)
      #expect(home.vendor.server.requests(to: VendorServer.elsewhere).isEmpty)
    }
  }

  @Test func `attack: a signature signs in once`() async throws {
    try await withProviders { home in
      let vendor = home.vendors.gameCenter
      let credential = try home.graph.providers.credential(
        .gameCenter, try vendor.signature(for: .ada).fields)

      let first = try await home.signIn(credential)
      let error = await #expect(throws: AuthError.self) { try await home.signIn(credential) }
      let second = try await home.signIn(
        try home.graph.providers.credential(
          .gameCenter, try vendor.signature(for: .ada).fields))

      #expect(error?.code == .invalidCredential)
      #expect(second.account.id == first.account.id)
    }
  }
}
