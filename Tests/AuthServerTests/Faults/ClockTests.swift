import AuthCore
import AuthTesting
import Testing

@testable import IdentityToolkitService

/// Jumps of the machine's clock, forward or backward, as after a sleep or a wrong setting.
@Suite struct `A clock that jumps` {
  private static let day: Int64 = 24 * 3600

  @Test(arguments: ServerMode.allCases, [-400 * day, -3600, 3600, 400 * day])
  func `keeps accounts whole, and lets people in once the time has come again`(
    _ mode: ServerMode, _ seconds: Int64
  ) async throws {
    try await withServer(mode) { home in
      let ada = try await home.openAccount()

      home.clock.advance(seconds: seconds)

      let old = try await home.post("/v1/accounts:lookup", ada.session)
      #expect(old.status < 500, "\(old.text)")
      let refreshed = try await home.post(
        "/v1/token",
        ["grantType": "refresh_token", "refreshToken": .string(ada.refreshToken)])
      #expect(refreshed.status == 200, "\(refreshed.text)")
      if seconds < 0 {
        // S13 attack 47: a new session is not older than the end of earlier ones.
        let early = try SignedUp(try await home.enter("ada@example.com", "opensesame"))
        #expect(try await home.ownRecord(early.idToken)["localId"] == .string(ada.uid))
        let renewed = try await home.post(
          "/v1/token",
          ["grantType": "refresh_token", "refreshToken": .string(early.refreshToken)])
        #expect(renewed.status == 200, "\(renewed.text)")
        try await expectEnding(home, early)
        #expect(try await home.adminRecord(ada.uid)?["email"] == "ada@example.com")
        home.clock.advance(seconds: -seconds)
      }
      let again = try SignedUp(try await home.enter("ada@example.com", "opensesame"))
      #expect(again.uid == ada.uid)
      #expect(try await home.ownRecord(again.idToken)["localId"] == .string(ada.uid))
      for path in ["/health", "/ready"] {
        #expect(try await home.call("GET", path).status == 200, "\(path)")
      }
      #expect(try await home.openAccount("bo@example.com").uid != ada.uid)
      let gone = try await home.post("/v1/accounts:delete", again.session)
      #expect(gone.status == 200, "\(gone.text)")
    }
  }

  /// Expects that a change of the password and a revocation end sessions that began ahead of the clock.
  private func expectEnding(_ home: ServerHome, _ early: SignedUp) async throws {
    let changed = try SignedUp(
      try await home.post(
        ServerHome.update, ["idToken": .string(early.idToken), "password": "opensesame"]))
    if home.mode == .production {
      #expect(try await home.post("/v1/accounts:lookup", early.session).message == "TOKEN_EXPIRED")
    }
    #expect(try await home.post("/v1/accounts:lookup", changed.session).status == 200)
    _ = try await home.graph.revokeSessions(of: AccountID(changed.uid), by: home.admin)
    if home.mode == .production {
      #expect(
        try await home.post("/v1/accounts:lookup", changed.session).message == "TOKEN_EXPIRED")
    }
  }

  @Test func `a token is not good for longer because the clock went back, nor after its time`()
    async throws
  {
    try await withServer(.production) { home in
      let ada = try await home.openAccount()
      home.clock.advance(seconds: 3599)
      #expect(try await home.post("/v1/accounts:lookup", ada.session).status == 200)
      home.clock.advance(seconds: 600)
      #expect(try await home.post("/v1/accounts:lookup", ada.session).status == 400)
      // Issued in the future, as after the correction of a clock that was ahead.
      home.clock.advance(seconds: -30 * Self.day)
      #expect(try await home.post("/v1/accounts:lookup", ada.session).status == 400)
    }
  }

  @Test(arguments: ServerMode.allCases)
  func `codes of a future that was taken back are still good once, and old ones never`(
    _ mode: ServerMode
  ) async throws {
    try await withServer(mode) { home in
      let ada = try await home.person()
      let code = try await home.code("PASSWORD_RESET", to: ada.email)
      home.clock.advance(seconds: -Self.day)
      let body: JSONValue = ["oobCode": .string(code), "newPassword": "opensesame9"]
      let first = try await home.post("/v1/accounts:resetPassword", body)
      #expect(first.status < 500, "\(first.text)")
      let second = try await home.post("/v1/accounts:resetPassword", body)
      #expect(second.status == 400, "\(second.text)")
      let late = try await home.code("PASSWORD_RESET", to: ada.email)
      home.clock.advance(seconds: 40 * Self.day)
      let expired = try await home.post(
        "/v1/accounts:resetPassword",
        ["oobCode": .string(late), "newPassword": "opensesame8"])
      if mode == .production { #expect(expired.status == 400, "\(expired.text)") }
    }
  }

  @Test func `a limit that was used up before the clock went back ends all the same`() async throws
  {
    try await withServer(
      .production,
      configure: {
        $0.servers = 1
        $0.settings = { $0.rateLimits.signUpsPerAddressAndHour = 3 }
      }
    ) { home in
      try await home.touch()
      for _ in 0..<3 { #expect(try await home.post(ServerHome.signUp).status == 200) }
      #expect(try await home.post(ServerHome.signUp).status != 200)
      // A day back: the limit does not last until that day is over again.
      home.clock.advance(seconds: -Self.day)
      _ = try await home.post(ServerHome.signUp)
      home.clock.advance(seconds: 3600)
      #expect(try await home.post(ServerHome.signUp).status == 200)
    }
  }

  @Test func `keys that sign are there after every jump, and their tokens are read`() async throws {
    try await withServer(.production) { home in
      let first = try await home.openAccount()
      // Back too, but never before the account's last change.
      for days: Int64 in [200, -150, 30, -1, 1] {
        home.clock.advance(seconds: days * Self.day)
        let made = try SignedUp(try await home.enter("ada@example.com", "opensesame"))
        #expect(made.uid == first.uid)
        #expect(try await home.post("/v1/accounts:lookup", made.session).status == 200)
        let keys = try await home.call(
          "GET", "/service_accounts/v1/jwk/securetoken@system.gserviceaccount.com")
        #expect(keys.status == 200)
        #expect(keys.json["keys"]?.items.isEmpty == false)
      }
    }
  }
}
