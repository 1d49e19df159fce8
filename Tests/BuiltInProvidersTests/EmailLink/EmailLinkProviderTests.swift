import AuthCore
import AuthTesting
import BuiltInProviders
import Foundation
import ProviderChecks
import Testing

@Suite struct EmailLinkProviderTests {
  private let home = CodeHome(
    EmailLinkProvider(),
    ["linkBase": "https://app.example/in?v=1", "allowedHosts": ["shop.example"]])
  private let address = "Ada.L@Example.com"

  @Test(arguments: ProviderCheck.all)
  func `the provider keeps a provider's promises`(promise: ProviderCheck) async throws {
    try await promise.run(EmailLinkProvider())
  }

  private func verify(
    _ link: String, email: String = "ada.l@example.com", account: String? = nil
  ) async throws -> VerifiedIdentity {
    try await home.verify(["email": email, "link": link], account: account)
  }

  private func query(_ link: String) -> [String: String] {
    let items = URLComponents(string: link)?.queryItems ?? []
    return Dictionary(items.map { ($0.name, $0.value ?? "") }) { _, last in last }
  }

  @Test func `the link that was sent proves the address`() async throws {
    let challenge = try await home.challenge(address)

    let identity = try await verify(challenge.proof, email: address)

    #expect(identity.key == IdentityKey(.emailLink, subject: "ada.l@example.com"))
    #expect(identity.email?.text == address)
    #expect(identity.emailVerified)
    #expect(identity.profile == IdentityProfile(email: address))
    #expect(identity.uses.count == 1)
  }

  @Test func `the link has the parameters that Firebase's clients look for`() async throws {
    var home = home
    home.settings["language"] = "de"
    let continueURL = "https://shop.example/cart?id=1&x=a b".replacing(" ", with: "%20")

    let challenge = try await home.challenge(address, continueURL: continueURL)

    #expect(challenge.proof.hasPrefix("https://app.example/in?v=1&mode=signIn&oobCode="))
    let fields = query(challenge.proof)
    #expect(fields["mode"] == "signIn")
    #expect(fields["continueUrl"] == continueURL)
    #expect(fields["lang"] == "de")
    #expect(fields["oobCode"]?.wholeMatch(of: /[A-Za-z0-9]{43}\.[A-Za-z0-9]{43}/) != nil)
  }

  @Test func `the message has its purpose and its expiry`() async throws {
    _ = try await home.challenge(address, requestedFrom: "203.0.113.7")

    let message = try #require(home.messages.last())
    #expect(message.kind == .emailLink)
    #expect(message.recipient == "ada.l@example.com")
    #expect(message.expiresAt == home.clock.now.adding(seconds: 6 * 3600))
    #expect(message.requestedFrom == "203.0.113.7")
    #expect(message.intent == "sign-in")

    _ = try await home.challenge(address, account: "ada")
    #expect(home.messages.last()?.intent == "link")
  }

  @Test func `the code alone is as good as the link, also inside another link`() async throws {
    let challenge = try await home.challenge(address)
    let code = try #require(query(challenge.proof)["oobCode"])
    let wrapped = URLText.adding([("link", challenge.proof)], to: "https://pages.example/?apn=x")
    let twice = URLText.adding([("deep_link_id", wrapped)], to: "shop://open")

    for link in [code, wrapped, twice] { _ = try await verify(link) }
  }

  @Test func `a text that is no sign-in link is refused`() async throws {
    let challenge = try await home.challenge(address)
    let code = try #require(query(challenge.proof)["oobCode"])
    let parts = code.split(separator: ".")
    var nested = challenge.proof
    for _ in 0..<4 { nested = URLText.adding([("link", nested)], to: "https://pages.example/") }

    for link in [
      "x", ".", "\(parts[0]).", ".\(parts[1])", "\(code).x", "https://app.example/in",
      "https://app.example/in?oobCode=", "https://app.example/in?mode=signIn",
      "https://app.example/in?mode=resetPassword&oobCode=\(code)",
      "https://app.example/in?mode=signIn&mode=verifyEmail&oobCode=\(code)",
      "\(challenge.proof)&oobCode=\(code)", nested,
      "https://app.example/#mode=signIn&oobCode=\(code)",
      challenge.proof + String(repeating: "&a=b", count: 3000),
    ] {
      let error = await home.expect(.invalidCredential, hiding: [String(parts[1])]) {
        try await verify(link)
      }
      #expect(error?.field == "link")
    }
    _ = try await verify(challenge.proof)
  }

  @Test func `attack 8: a link sent to one address cannot be used for another`() async throws {
    let challenge = try await home.challenge("mallory@example.com")

    for victim in ["ada.l@example.com", "mallory@example.org", "m\u{E4}llory@example.com"] {
      let error = await home.expect(.invalidEmail, hiding: ["mallory"]) {
        try await verify(challenge.proof, email: victim)
      }
      #expect(error?.field == "email")
    }
    _ = try await verify(challenge.proof, email: "MALLORY@EXAMPLE.com")
  }

  @Test func `attack 8: the code of one link does not fit the ID of another`() async throws {
    let mine = try #require(query(try await home.challenge("m@example.com").proof)["oobCode"])
    let ada = try await home.challenge(address)
    let code = mine.split(separator: ".")[1]

    await home.expect(.invalidVerificationCode) { try await verify("\(ada.id).\(code)") }
  }

  @Test func `attack 8: a link to link one account neither signs in nor links another`()
    async throws
  {
    let challenge = try await home.challenge(address, account: "ada")

    for other in [nil, "mallory"] {
      await home.expect(.invalidVerificationID, hiding: ["mallory"]) {
        try await verify(challenge.proof, account: other)
      }
    }
    _ = try await verify(challenge.proof, account: "ada")
  }

  @Test func `attack 4: a link of an account is void once the account's records are removed`()
    async throws
  {
    let challenge = try await home.challenge(address, account: "ada")
    let scope = home.scope
    try await home.store.write {
      try $0.apply([.removeRecords(of: AccountID("ada"))], in: scope)
    }

    await home.expect(.invalidVerificationID) {
      try await verify(challenge.proof, account: "ada")
    }
  }

  @Test func `a link ends with its time and with its use`() async throws {
    let (used, late) = (try await home.challenge(address), try await home.challenge(address))
    home.clock.advance(seconds: 6 * 3600 - 1)
    try await home.commit(try await verify(used.proof))

    await home.expect(.codeExpired) { try await verify(used.proof) }
    _ = try await verify(late.proof)
    home.clock.advance(seconds: 1)
    await home.expect(.codeExpired) { try await verify(late.proof) }
  }

  @Test func `attack 31: spellings of one address share its ten links an hour`() async throws {
    for number in 0..<10 {
      _ = try await home.challenge(number.isMultiple(of: 2) ? address : "ada.l@EXAMPLE.COM")
    }

    await home.expect(.tooManyRequests) { try await home.challenge("ADA.L@example.com") }
  }

  @Test func `attack 22: a link goes to the address as it is compared`() async throws {
    _ = try await home.challenge("ADA@BÜCHER.example")
    #expect(home.messages.last()?.recipient == "ada@xn--bcher-kva.example")

    _ = try await home.challenge("ad\u{131}@example.com")
    #expect(home.messages.last()?.recipient == "ad\u{131}@example.com")
    await home.expect(.invalidEmail) {
      try await verify(home.messages.last()?.proof.reveal() ?? "", email: "adi@example.com")
    }
  }

  @Test(arguments: ["", "ada", "ada@", "a b@example.com", "ada@example.com\r\nBcc: x@y.z", "+4915"])
  func `a text that is no address is refused`(recipient: String) async {
    await home.expect(.invalidEmail) { try await home.challenge(recipient) }
    #expect(home.messages.messages.isEmpty)
  }
}
