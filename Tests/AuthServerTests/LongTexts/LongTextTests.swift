import AuthCore
import AuthTesting
import Testing

@testable import IdentityToolkitService

/// A text of one character may have ten megabytes, so bytes are bounded besides characters, in every interface and
/// every record.
@Suite struct `Long texts` {
  @Test(arguments: ServerMode.allCases)
  func `S5 attack 39: every kept text has a bound, on every face`(
    _ mode: ServerMode
  ) async throws {
    try await withServer(mode, configure: Self.configure) { home in
      try await home.touch()
      for row in LongTextCase.all where row.modes.contains(mode) {
        let reply = try await row.send(home, LongTextCase.bomb)
        if let refusal = row.refusal {
          #expect(reply.status == 400 || row.refusal == "", "\(row.name): \(reply.status)")
          #expect(reply.status < 500 && reply.status >= 400, "\(row.name): \(reply.status)")
          #expect(
            refusal.isEmpty || reply.message?.hasPrefix(refusal) == true,
            "\(row.name): \(reply.message?.prefix(200) ?? "")")
        } else {
          #expect(reply.status == 200, "\(row.name): \(reply.text.prefix(200))")
        }
      }
      #expect(try await home.longestText() <= TextBounds.detail.bytes)
      let page = try await home.admin("GET", "\(home.accountsPath):batchGet?maxResults=1000")
      #expect(page.status == 200)
      #expect(page.json.longest <= 2 * TextBounds.detail.bytes)
    }
  }

  @Test(arguments: ServerMode.allCases)
  func `a name may have every character that people write, up to both bounds`(
    _ mode: ServerMode
  ) async throws {
    try await withServer(mode) { home in
      let session = try await home.openAnonymously()
      for name in [
        String(repeating: "x", count: 256), String(repeating: "é", count: 256),
        String(repeating: "e\u{301}", count: 256), String(repeating: "語", count: 256),
        String(repeating: "😀", count: 256), String(repeating: "👨‍👩‍👧‍👦", count: 40),
        "ก่ำ ज़िन्दगी Zoë",
      ] {
        let reply = try await home.post(
          ServerHome.update,
          ["idToken": .string(session.idToken), "displayName": .string(name)])
        #expect(reply.status == 200, "\(reply.text)")
        #expect(try await home.ownRecord(session.idToken)["displayName"] == .string(name))
      }
      for name in [
        String(repeating: "x", count: 257), String(repeating: "😀", count: 257),
        String(repeating: "👨‍👩‍👧‍👦", count: 41),
      ] {
        let reply = try await home.post(
          ServerHome.update,
          ["idToken": .string(session.idToken), "displayName": .string(name)])
        expectFailure(reply, "INVALID_DISPLAY_NAME")
      }
    }
  }

  @Test(arguments: ServerMode.allCases)
  func `S16 a record of an upload has a bounded number of identities and factors`(
    _ mode: ServerMode
  ) async throws {
    try await withServer(mode) { home in
      let identities = (0...100).map { number -> JSONValue in
        ["providerId": "oidc.work", "rawId": .string("s\(number)")]
      }
      let tooMany = try await home.fault(
        of: ["localId": "a", "providerUserInfo": .array(identities)])
      #expect(tooMany == "providerUserInfo has more than 100 entries.")
      let factors = (0...5).map { number -> JSONValue in
        ["phoneInfo": .string("+1555555010\(number)")]
      }
      let guarded = try await home.fault(of: [
        "localId": "a", "email": "a@example.com", "emailVerified": true,
        "mfaInfo": .array(factors),
      ])
      #expect(guarded == "mfaInfo has more than 5 entries.")
      // The emulator keeps one identity of each provider.
      let distinct = (0..<100).map { number -> JSONValue in
        ["providerId": .string("oidc.p\(number)"), "rawId": "s"]
      }
      let full = try await home.fault(of: ["localId": "a", "providerUserInfo": .array(distinct)])
      #expect(full == nil)
    }
  }

  private static func configure(_ setup: inout ServerSetup) {
    setup.settings = { $0.rateLimits = .none }
    setup.providers = { registry, mode in
      mode == .emulator
        ? .emulator(over: registry)
        : registry.adding([EmulatedIdentityProvider(id: .google)])
    }
  }
}
