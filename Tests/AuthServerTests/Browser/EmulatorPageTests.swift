import AuthCore
import FakeVendors
import Testing

@testable import IdentityToolkitService

@Suite struct `The emulator's pages` {
  @Test func `the vendor's page lists the people that it knows`() async throws {
    try await withFederation(.emulator) { home in
      try await home.signIn(
        Federation.google,
        FakePerson(subject: "known-1", email: "ada@example.com", name: "</script><b>Ada"))
      try await home.signIn(Federation.work, FakePerson(subject: "other-1"))

      let reply = try await home.server.call(
        "GET",
        "/emulator/auth/handler?apiKey=key&providerId=google.com&authType=signInWithPopup"
          + "&eventId=7&appName=%5BDEFAULT%5D")

      #expect(reply.status == 200)
      #expect(reply.headers["content-type"]?.hasPrefix("text/html") == true)
      #expect(reply.text.contains("known-1"))
      #expect(!reply.text.contains("other-1"))
      #expect(!reply.text.contains("<b>Ada"))
      #expect(reply.text.contains(#""appName":"[DEFAULT]""#))
    }
  }

  @Test func `tests in browsers find what they know on the vendor's page`() async throws {
    try await withServer(.emulator) { home in
      let page = try await home.call(
        "GET", "/emulator/auth/handler?apiKey=key&providerId=google.com"
      ).text

      #expect(page.contains("<title>Auth Emulator IDP Login Widget</title>"))
      for id in [
        "accounts-list", "add-account-button", "autogen-button", "back-button",
        "display-name-input",
        "email-input", "main-form", "profile-photo-input", "screen-name-input", "sign-in",
      ] {
        #expect(page.contains(#"id="\#(id)""#), "\(id)")
      }
      #expect(page.contains(#"class="js-new-account""#))
    }
  }

  @Test func `a popup is left open, for the SDK closes it`() async throws {
    try await withServer(.emulator) { home in
      let page = try await home.call(
        "GET",
        "/emulator/auth/handler?apiKey=key&providerId=google.com&authType=signInViaPopup"
          + "&eventId=7&appName=app")
      #expect(page.status == 200)
      #expect(!page.text.contains("window.close"))
    }
  }

  @Test(arguments: [
    "/emulator/auth/handler", "/emulator/auth/handler?apiKey=key",
    "/emulator/auth/handler?providerId=google.com", "/emulator/auth/iframe",
    "/emulator/auth/iframe?apiKey=key",
  ])
  func `a page without its parameters is refused`(_ path: String) async throws {
    try await withServer(.emulator) { home in
      let reply = try await home.call("GET", path)
      #expect(reply.status == 400)
      #expect(reply.json["authEmulator"]?["error"] != nil)
    }
  }

  @Test func `the frame speaks for the app that opened it`() async throws {
    try await withServer(.emulator) { home in
      let reply = try await home.call("GET", "/emulator/auth/iframe?apiKey=key&appName=app")
      #expect(reply.status == 200)
      #expect(reply.text.contains("apis.google.com/js/api.js"))
      #expect(reply.text.contains(#""appName":"app""#))
    }
  }
}
