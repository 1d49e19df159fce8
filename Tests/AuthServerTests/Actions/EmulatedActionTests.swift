import AuthCore
import AuthTesting
import Foundation
import Testing

@testable import IdentityToolkitService

@Suite struct EmulatedActionTests {
  /// Returns the path and query of a link.
  private static func path(_ link: String) -> String {
    String(link.dropFirst("http://localhost:9099".count))
  }

  private static func error(_ reply: Reply) -> String? {
    reply.json["authEmulator"]?["error"]?.stringValue
  }

  @Test func `links that lack something are refused`() async throws {
    try await withServer(.emulator) { home in
      let paths = [
        "/emulator/action?mode=signIn&oobCode=x": "missing apiKey query parameter",
        "/emulator/action?mode=signIn&apiKey=x": "missing oobCode query parameter",
        "/emulator/action?mode=fly&apiKey=x&oobCode=y": "Invalid mode",
        "/emulator/action?mode=signIn&apiKey=x&oobCode=y": "Missing continueUrl query parameter",
      ]
      for (path, error) in paths {
        let reply = try await home.call("GET", path)
        #expect(reply.status == 400)
        #expect(Self.error(reply) == error)
      }
      for mode in ["resetPassword", "verifyEmail", "verifyAndChangeEmail", "recoverEmail"] {
        let reply = try await home.call(
          "GET", "/emulator/action?mode=\(mode)&apiKey=x&oobCode=y&newPassword=long+enough")
        #expect(reply.status == 400)
        #expect(Self.error(reply)?.contains("already been used") == true)
      }
    }
  }

  @Test func `a password is reset by opening the link with a new one`() async throws {
    try await withServer(.emulator) { home in
      let ada = try await home.person()
      let link = Self.path(try await home.link("PASSWORD_RESET", to: ada.email))
      let missing = try await home.call("GET", link)
      #expect(missing.status == 400)
      #expect(Self.error(missing) == "missing newPassword query parameter")
      let template = try #require(missing.json["authEmulator"]?["urlTemplate"]?.stringValue)
      #expect(template.hasSuffix("&newPassword=NEW_PASSWORD_HERE"))
      #expect(try await home.call("GET", Self.path(template)).status == 400)
      let weak = try await home.call("GET", "\(link)&newPassword=12345")
      #expect(weak.message == "WEAK_PASSWORD : Password should be at least 6 characters")

      let done = try await home.call("GET", "\(link)&newPassword=a%20new%20password")
      #expect(done.status == 200)
      #expect(done.json["authEmulator"]?["email"] == "ada@example.com")
      #expect(done.json["authEmulator"]?["success"] != nil)
      #expect(try await home.call("GET", "\(link)&newPassword=yet+another").status == 400)
      #expect(try await home.signIn(ada.email, "a new password").status == 200)

      let other = try await home.link(
        "PASSWORD_RESET", to: ada.email, ["continueUrl": "http://localhost/done"])
      let led = try await home.call("GET", "\(Self.path(other))&newPassword=yet+another")
      #expect(led.status == 303)
      #expect(led.headers["location"] == "http://localhost/done")
    }
  }

  @Test func `an address is verified by opening the link`() async throws {
    try await withServer(.emulator) { home in
      let ada = try await home.person(verified: false)
      let link = Self.path(
        try await home.link("VERIFY_EMAIL", to: ada.email, ["idToken": .string(ada.idToken)]))
      let done = try await home.call("GET", link)
      #expect(done.status == 200)
      #expect(done.json["authEmulator"]?["email"] == "ada@example.com")
      #expect(try await home.lookUp(ada.idToken)["emailVerified"] == true)
      #expect(try await home.call("GET", link).status == 400)
      let other = try await home.link(
        "VERIFY_EMAIL", to: ada.email,
        ["idToken": .string(ada.idToken), "continueUrl": "http://localhost/done"])
      let led = try await home.call("GET", Self.path(other))
      #expect(led.status == 303)
      #expect(led.headers["location"] == "http://localhost/done")
    }
  }

  @Test func `an address is changed by opening the link`() async throws {
    try await withServer(.emulator) { home in
      let ada = try await home.person()
      let link = try await home.link(
        "VERIFY_AND_CHANGE_EMAIL", to: "new@example.com",
        ["idToken": .string(ada.idToken), "newEmail": "new@example.com"])
      let done = try await home.call("GET", Self.path(link))
      #expect(done.status == 200, "\(done.text)")
      #expect(done.json["authEmulator"]?["newEmail"] == "new@example.com")
      #expect(try await home.signIn("new@example.com").status == 200)
      #expect(try await home.call("GET", Self.path(link)).status == 400)
    }
  }

  @Test func `a code of another kind is refused`() async throws {
    try await withServer(.emulator) { home in
      let ada = try await home.person(verified: false)
      let code = try await home.code(
        "VERIFY_EMAIL", to: ada.email, ["idToken": .string(ada.idToken)])
      for mode in ["resetPassword", "recoverEmail", "verifyAndChangeEmail"] {
        let reply = try await home.call(
          "GET", "/emulator/action?mode=\(mode)&apiKey=x&oobCode=\(code)&newPassword=long+enough")
        #expect(reply.status == 400)
      }
      #expect(
        try await home.call("GET", "/emulator/action?mode=verifyEmail&apiKey=x&oobCode=\(code)")
          .status == 200)
    }
  }

  @Test func `a sign-in link leads on with everything that it says`() async throws {
    try await withServer(.emulator) { home in
      let link = try await home.link(
        "EMAIL_SIGNIN", to: "ada@example.com", ["continueUrl": "http://localhost/app?own=1&lang=x"])
      let led = try await home.call("GET", "\(Self.path(link))&more=yes")
      #expect(led.status == 303)
      let place = try #require(led.headers["location"])
      #expect(place.hasPrefix("http://localhost/app?own=1"))
      let fields = parameters(of: place)
      var expected = parameters(of: link)
      expected["continueUrl"] = nil
      expected["more"] = "yes"
      expected["own"] = "1"
      #expect(fields == expected)
      let entered = try await home.post(
        "/v1/accounts:signInWithEmailLink",
        ["email": "ada@example.com", "oobCode": .string(fields["oobCode"] ?? "")])
      #expect(entered.status == 200)
    }
  }

  @Test func `production has no such page`() async throws {
    try await withServer(.production) { home in
      let reply = try await home.call("GET", "/emulator/action?mode=signIn&apiKey=x&oobCode=y")
      #expect(reply.status == 404)
    }
  }
}
