import AuthCore
import AuthTesting
import Foundation
import SQLiteStore
import Testing

@testable import IdentityToolkitService

/// The page that a request to confirm an address leads to, on which its reader decides.
@Suite(.serialized) struct `F14 The page on which an address is confirmed` {
  private static let victim = "victim@example.com"

  private func page(_ home: ServerHome, _ link: String) async throws -> Reply {
    try await home.call("GET", String(link.dropFirst("http://localhost:9099".count)))
  }

  private func submit(
    _ home: ServerHome, _ link: String, answer: String? = nil
  ) async throws -> Reply {
    var fields = parameters(of: link).map { (name: $0.key, value: $0.value) }
    if let answer { fields.append((name: "answer", value: answer)) }
    return try await home.send(
      "POST", "/__/auth/action", Array(URLText.form(fields).utf8),
      headers: ["Content-Type": "application/x-www-form-urlencoded"])
  }

  /// Returns the link that a squatter has sent to an address.
  private func squat(_ home: ServerHome, name: String = "Eve <b>") async throws -> (
    uid: String, token: String, link: String
  ) {
    let squatter = try await home.openAccount(Self.victim, named: name)
    let reply = try await home.call(
      "POST", "/v1/accounts:sendOobCode?key=test-key",
      ["requestType": "VERIFY_EMAIL", "idToken": .string(squatter.idToken)],
      headers: ["User-Agent": "Browser/7 (Machine)"])
    #expect(reply.status == 200, "\(reply.text)")
    let link = try #require(home.messages.last(to: Self.victim)).proof.reveal()
    return (squatter.uid, squatter.idToken, link)
  }

  @Test func `F14: the page names the account, and the time and place of the request`() async throws
  {
    try await withServer(.production, store: try SQLiteStore.inMemory()) { home in
      let asked = home.clock.now
      let squatter = try await squat(home)
      home.clock.advance(seconds: 3600)
      let page = try await page(home, squatter.link)
      #expect(page.text.contains("“Eve &lt;b&gt;”"))
      #expect(page.text.contains("a password"))
      #expect(page.text.contains(asked.text))
      #expect(page.text.contains("127.0.0.1"))
      #expect(page.text.contains("Browser/7 (Machine)"))
      #expect(page.text.contains("It was me") && page.text.contains("It was not me"))
      #expect(!page.text.contains("<script"))
      let records = try await home.graph.store.read {
        try $0.oneTimeRecords(.actionCode, after: nil, limit: 10, in: home.scope)
      }
      #expect(!"\(records)".contains("127.0.0.1") && !"\(records)".contains("Browser"))
    }
  }

  @Test func `F14: it was not me frees the address and ends unproven ways in`() async throws {
    try await withServer(.production, store: try SQLiteStore.inMemory()) { home in
      let squatter = try await squat(home)
      home.clock.advance(seconds: 1)
      let opened = try await page(home, squatter.link)
      #expect(opened.status == 200)
      #expect(try await home.stored(squatter.uid).email != nil)

      let done = try await submit(home, squatter.link, answer: "refuse")

      #expect(done.status == 200, "\(done.text)")
      let account = try await home.stored(squatter.uid)
      #expect(account.email == nil && !account.emailVerified && account.identities.isEmpty)
      #expect(try await home.enter(Self.victim, "opensesame").status == 400)
      #expect(
        try await home.post("/v1/accounts:lookup", ["idToken": .string(squatter.token)]).message
          == "TOKEN_EXPIRED")
      #expect(try await submit(home, squatter.link).status == 400)
      let owner = try SignedUp(try await home.enterByLink(Self.victim))
      #expect(owner.uid != squatter.uid)
      let event = try #require(
        try await home.graph.events(limit: 20, in: home.scope).first { $0.action == .useActionCode }
      )
      #expect(event.details["refused"] == true)
    }
  }

  @Test func `F14: it was me verifies, and the event says that no session came with it`()
    async throws
  {
    try await withServer(.production, store: try SQLiteStore.inMemory()) { home in
      let squatter = try await squat(home)
      #expect(try await submit(home, squatter.link).status == 200)
      #expect(try await home.stored(squatter.uid).emailVerified)
      let event = try #require(
        try await home.graph.events(limit: 20, in: home.scope).first { $0.action == .useActionCode }
      )
      #expect(event.details["withoutSession"] == true)
    }
  }

  @Test(arguments: [true, false])
  func `F14: a client confirms by code as before, and the event says if a session came`(
    _ hasSession: Bool
  ) async throws {
    try await withServer(.production, store: try SQLiteStore.inMemory()) { home in
      let squatter = try await squat(home)
      let code = try #require(parameters(of: squatter.link)["oobCode"])
      let reply = try await home.use(code, hasSession ? ["idToken": .string(squatter.token)] : [:])
      #expect(reply.json["emailVerified"] == true, "\(reply.text)")
      let event = try #require(
        try await home.graph.events(limit: 20, in: home.scope).first { $0.action == .useActionCode }
      )
      #expect(event.details["withoutSession"] == (hasSession ? nil : true))
    }
  }

  @Test func `F14: a refusal by an account with a verified address ends the sessions alone`()
    async throws
  {
    try await withServer(.production, store: try SQLiteStore.inMemory()) { home in
      let ada = try await home.person(Self.victim)
      let link = try await home.link(
        "VERIFY_EMAIL", to: ada.email, ["idToken": .string(ada.idToken)])
      home.clock.advance(seconds: 1)
      let done = try await submit(home, link, answer: "refuse")
      #expect(done.status == 200 && done.text.contains("Every session was ended"), "\(done.text)")
      let account = try await home.stored(ada.uid)
      #expect(account.email?.text == Self.victim && account.emailVerified)
      #expect(
        try await home.post("/v1/accounts:lookup", ["idToken": .string(ada.idToken)]).message
          == "TOKEN_EXPIRED")
      #expect(try await home.signIn(ada.email).status == 200)
    }
  }

  @Test func `F14: a change to a stranger's address is refused on its page`() async throws {
    try await withServer(.production, store: try SQLiteStore.inMemory()) { home in
      let eve = try await home.person("eve@example.com")
      let link = try await home.link(
        "VERIFY_AND_CHANGE_EMAIL", to: Self.victim,
        ["idToken": .string(eve.idToken), "newEmail": .string(Self.victim)])
      #expect(try await page(home, link).text.contains("It was not me"))
      #expect(try await submit(home, link, answer: "refuse").status == 200)
      #expect(try await submit(home, link).status == 400)
      #expect(try await home.stored(eve.uid).email?.text == "eve@example.com")
    }
  }
}
