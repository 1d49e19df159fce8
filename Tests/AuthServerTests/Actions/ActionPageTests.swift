import AuthCore
import AuthTesting
import Foundation
import Testing

@testable import IdentityToolkitService

@Suite struct ActionPageTests {
  private static func path(_ link: String) -> String {
    String(link.dropFirst("http://localhost:9099".count))
  }

  /// Submits the form of a page, as a browser does.
  private static func submit(
    _ home: ServerHome, _ page: Reply, _ more: [(name: String, value: String)] = [],
    headers: [String: String] = [:]
  ) async throws -> Reply {
    let pattern = /<input type="hidden" name="([^"]*)" value="([^"]*)">/
    var fields = page.text.matches(of: pattern).map {
      (name: String($0.1), value: String($0.2).replacing("&amp;", with: "&"))
    }
    fields += more
    var all = headers
    all["Content-Type"] = "application/x-www-form-urlencoded"
    return try await home.send(
      "POST", "/__/auth/action", Array(URLText.form(fields).utf8), headers: all)
  }

  @Test func `opening a link changes nothing, and its button does`() async throws {
    try await withServer(.production) { home in
      let ada = try await home.person(verified: false)
      let link = Self.path(
        try await home.link(
          "VERIFY_EMAIL", to: ada.email,
          ["idToken": .string(ada.idToken), "continueUrl": "http://localhost/done?a=1&b=2"]))
      var page = try await home.call("GET", link)
      page = try await home.call("GET", link)
      #expect(page.status == 200)
      #expect(page.text.contains("ada@example.com"))
      #expect(try await home.stored(ada.uid).emailVerified == false)

      let done = try await Self.submit(home, page)
      #expect(done.status == 200, "\(done.text)")
      #expect(done.text.contains("href=\"http://localhost/done?a=1&amp;b=2\""))
      #expect(
        done.text.contains(
          "What opens the account now: a password, open sessions, messages to your address."))
      #expect(try await home.stored(ada.uid).emailVerified)
      #expect(try await Self.submit(home, page).status == 400)
      #expect(try await home.call("GET", link).status == 400)
    }
  }

  @Test func `pages need no script, are in no frame or cache, and send no referrer`() async throws {
    try await withServer(.production) { home in
      let ada = try await home.person()
      let link = Self.path(try await home.link("PASSWORD_RESET", to: ada.email))
      for path in [link, "/__/auth/action?mode=verifyEmail&oobCode=x"] {
        let page = try await home.call("GET", path)
        #expect(page.headers["referrer-policy"] == "no-referrer")
        #expect(page.headers["cache-control"] == "no-store")
        #expect(page.headers["x-frame-options"] == "DENY")
        #expect(page.headers["content-type"] == "text/html; charset=utf-8")
        let policy = page.headers["content-security-policy"] ?? ""
        #expect(policy.contains("default-src 'none'"))
        #expect(policy.contains("frame-ancestors 'none'"))
        #expect(!page.text.contains("<script"))
        #expect(page.text.contains("<html lang=\"en\">"))
        #expect(page.text.contains("<title>"))
      }
    }
  }

  @Test func `a new password is chosen on the page`() async throws {
    try await withServer(.production) { home in
      let ada = try await home.person()
      let page = try await home.call(
        "GET", Self.path(try await home.link("PASSWORD_RESET", to: ada.email)))
      #expect(page.text.contains("<label for=\"newPassword\">"))
      #expect(page.text.contains("autocomplete=\"new-password\""))
      let weak = try await Self.submit(home, page, [(name: "newPassword", value: "123")])
      #expect(weak.status == 400)
      #expect(weak.text.contains("role=\"alert\""))
      #expect(weak.text.contains("<form"))
      let done = try await Self.submit(
        home, weak, [(name: "newPassword", value: "a new & better password")])
      #expect(done.status == 200, "\(done.text)")
      #expect(try await home.signIn(ada.email, "a new & better password").status == 200)
      let again = try await Self.submit(home, page, [(name: "newPassword", value: "another one")])
      #expect(again.status == 400)
    }
  }

  @Test func `an address changes on the page, and the old one may take it back`() async throws {
    try await withServer(.production) { home in
      let ada = try await home.person()
      let page = try await home.call(
        "GET",
        Self.path(
          try await home.link(
            "VERIFY_AND_CHANGE_EMAIL", to: "new@example.com",
            ["idToken": .string(ada.idToken), "newEmail": "new@example.com"])))
      #expect(page.text.contains("new@example.com"))
      #expect(try await Self.submit(home, page).status == 200)
      #expect(try await home.stored(ada.uid).email?.text == "new@example.com")

      let message = try #require(home.messages.last(to: "ada@example.com"))
      #expect(message.kind == .recoverEmail)
      let back = try await home.call("GET", Self.path(message.proof.reveal()))
      #expect(back.status == 200, "\(back.text)")
      #expect(try await Self.submit(home, back).status == 200)
      let account = try await home.stored(ada.uid)
      #expect(account.email?.text == "ada@example.com")
      #expect(account.emailVerified)
    }
  }

  @Test func `a stranger's second factor is removed on the page`() async throws {
    try await withServer(.production) { home in
      let ada = try await home.person()
      _ = try await home.enroll("+15555550100", ada.idToken)
      let message = try #require(home.messages.last(to: ada.email))
      let page = try await home.call("GET", Self.path(message.proof.reveal()))
      #expect(page.text.contains("0100"))
      #expect(!page.text.contains("+15555550100"))
      #expect(try await Self.submit(home, page).status == 200)
      #expect(try await home.stored(ada.uid).secondFactors.isEmpty)
    }
  }

  @Test func `a sign-in link leads on to the app and is used there`() async throws {
    try await withServer(.production) { home in
      let link = try await home.link(
        "EMAIL_SIGNIN", to: "ada@example.com", ["continueUrl": "http://localhost/app#place"])
      let led = try await home.call("GET", Self.path(link))
      #expect(led.status == 303)
      #expect(led.headers["referrer-policy"] == "no-referrer")
      let place = try #require(led.headers["location"])
      #expect(place.hasPrefix("http://localhost/app?mode=signIn&"))
      #expect(place.hasSuffix("#place"))
      #expect(parameters(of: place)["apiKey"] == "test-key")
      let entered = try await home.post(
        "/v1/accounts:signInWithEmailLink",
        [
          "email": "ada@example.com",
          "oobCode": .string(try #require(parameters(of: place)["oobCode"])),
        ])
      #expect(entered.status == 200)
    }
  }

  @Test func `a link that was tampered with leads nowhere else`() async throws {
    try await withServer(.production) { home in
      let ada = try await home.person(verified: false)
      let code = try await home.code("EMAIL_SIGNIN", to: ada.email)
      let led = try await home.call(
        "GET",
        "/__/auth/action?mode=signIn&oobCode=\(code)&continueUrl=https%3A%2F%2Fevil.example%2F")
      #expect(led.status == 200)
      #expect(!led.text.contains("evil.example"))
      let page = try await home.call(
        "GET",
        Self.path(
          try await home.link("VERIFY_EMAIL", to: ada.email, ["idToken": .string(ada.idToken)]))
          + "&continueUrl=javascript%3A%2F%2Flocalhost%2F%250aalert(1)")
      let done = try await Self.submit(home, page)
      #expect(done.status == 200)
      #expect(!done.text.contains("href"))
      let injected = try await home.call(
        "GET", "/__/auth/action?mode=%22%3E%3Cb%3E&oobCode=%22%3E%3Cb%3E&lang=%22%3E%3Cb%3E")
      #expect(injected.status == 400)
      #expect(!injected.text.contains("<b>"))
    }
  }

  @Test func `a form that another site sends is refused`() async throws {
    try await withServer(.production) { home in
      let ada = try await home.person(verified: false)
      let page = try await home.call(
        "GET",
        Self.path(
          try await home.link("VERIFY_EMAIL", to: ada.email, ["idToken": .string(ada.idToken)])))
      for headers in [
        ["Sec-Fetch-Site": "cross-site"], ["Sec-Fetch-Site": "same-site"],
        ["Origin": "https://evil.example"], ["Origin": "http://localhost:9099.evil.example"],
      ] {
        #expect(try await Self.submit(home, page, [], headers: headers).status == 400)
      }
      #expect(try await home.stored(ada.uid).emailVerified == false)
      for headers in [
        ["Origin": "http://localhost:9099", "Sec-Fetch-Site": "same-origin"]
      ] {
        #expect(try await Self.submit(home, page, [], headers: headers).status == 200)
      }
    }
  }

  @Test func `codes that are too old or of disabled accounts end in a page`() async throws {
    try await withServer(.production) { home in
      let ada = try await home.person(verified: false)
      let link = Self.path(
        try await home.link("VERIFY_EMAIL", to: ada.email, ["idToken": .string(ada.idToken)]))
      let page = try await home.call("GET", link)
      _ = try await home.graph.setDisabled(true, AccountID(ada.uid), by: home.admin)
      let shut = try await Self.submit(home, page)
      #expect(shut.status == 400)
      home.clock.advance(seconds: 4 * 86400)
      let late = try await home.call("GET", link)
      #expect(late.status == 400)
      #expect(late.text.contains("does not work any more"))
    }
  }
}
