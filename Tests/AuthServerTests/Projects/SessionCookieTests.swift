import AuthCore
import AuthTesting
import Foundation
import Testing

@testable import IdentityToolkitService

@Suite struct `Session cookies` {
  private let path = "/v1/projects/\(ServerHome.project):createSessionCookie"

  private func idToken(_ home: ServerHome) async throws -> String {
    try await home.post(
      "/v1/accounts:signUp",
      ["email": "ada@example.com", "password": "correct horse", "returnSecureToken": true]
    ).text("idToken")
  }

  private func claims(_ token: String) throws -> JSONValue {
    let parts = token.split(separator: ".", omittingEmptySubsequences: false)
    #expect(parts.count == 3)
    var text = String(parts[1]).replacing("-", with: "+").replacing("_", with: "/")
    text += String(repeating: "=", count: (4 - text.count % 4) % 4)
    let data = try #require(Data(base64Encoded: text))
    return try JSONValue(text: String(decoding: data, as: UTF8.self))
  }

  @Test(arguments: ServerHome.both)
  func `a cookie has the token's claims, another issuer, and the time that was asked for`(
    _ mode: ServerMode
  ) async throws {
    try await withServer(mode) { home in
      let token = try await idToken(home)
      home.clock.advance(seconds: 60)
      for duration: JSONValue in [300, "300"] {
        let reply = try await home.admin(
          "POST", path, ["idToken": .string(token), "validDuration": duration])
        #expect(reply.status == 200, "\(reply.text)")
        let cookie = try claims(try reply.text("sessionCookie"))
        let original = try claims(token)
        let now = home.clock.now.milliseconds / 1000
        #expect(cookie["iat"] == .integer(now))
        #expect(cookie["exp"] == .integer(now + 300))
        #expect(
          cookie["iss"] == .string("https://session.firebase.google.com/\(ServerHome.project)"))
        for name in ["aud", "sub", "user_id", "auth_time", "email", "email_verified", "firebase"] {
          #expect(cookie[name] == original[name])
        }
      }
    }
  }

  @Test(arguments: ServerHome.both)
  func `two weeks are the default time`(_ mode: ServerMode) async throws {
    try await withServer(mode) { home in
      let token = try await idToken(home)
      let reply = try await home.admin("POST", path, ["idToken": .string(token)])
      let cookie = try claims(try reply.text("sessionCookie"))
      #expect(cookie["exp"] == .integer(home.clock.now.milliseconds / 1000 + 14 * 24 * 3600))
    }
  }

  @Test(arguments: ServerHome.both)
  func `each fault has its word`(_ mode: ServerMode) async throws {
    try await withServer(mode) { home in
      let token = try await idToken(home)
      func message(_ body: JSONValue) async throws -> String? {
        let reply = try await home.admin("POST", path, body)
        #expect(reply.status == 400)
        return reply.message
      }
      #expect(try await message(["validDuration": 300]) == "MISSING_ID_TOKEN")
      for duration: JSONValue in [299, 1_209_601, "-1"] {
        #expect(
          try await message(["idToken": .string(token), "validDuration": duration])
            == "INVALID_DURATION")
      }
      #expect(try await message(["idToken": "nonsense"]) == "INVALID_ID_TOKEN")
      home.clock.advance(seconds: 2)
      let uid = try #require(
        try await home.graph.account(matching: "ada@example.com", in: home.scope))
      _ = try await home.graph.revokeSessions(of: uid.id, by: home.admin)
      #expect(try await message(["idToken": .string(token)]) == "TOKEN_EXPIRED")
      _ = try await home.graph.delete(uid.id, by: home.admin)
      #expect(try await message(["idToken": .string(token)]) == "USER_NOT_FOUND")
    }
  }

  @Test(arguments: ServerHome.both)
  func `a client cannot make a cookie`(_ mode: ServerMode) async throws {
    try await withServer(mode) { home in
      let token = try await idToken(home)
      let reply = try await home.post(path, ["idToken": .string(token)])
      #expect(reply.status == 400)
      #expect(reply.message?.hasPrefix("INSUFFICIENT_PERMISSION") == true)
    }
  }
}
