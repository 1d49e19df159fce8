import AuthCore
import AuthTesting
import BuiltInProviders
import Testing

@Suite struct LinkPageTests {
  private let address = "ada@example.com"

  @Test func `without a page nothing is sent, and the error says how to set one`() async {
    let home = CodeHome(EmailLinkProvider())

    for continueURL in [nil, "https://app.example/in"] {
      let error = await home.expect(.operationNotAllowed) {
        try await home.challenge(address, continueURL: continueURL)
      }
      #expect(error?.field == "linkBase")
      #expect(
        error?.remedy?.contains("providers.configure(\"emailLink\", { linkBase = \"https://")
          == true)
    }
    #expect(home.messages.messages.isEmpty)
  }

  @Test func `a continueURL of an allowed host is the page if there is no other`() async throws {
    let home = CodeHome(
      EmailLinkProvider(), ["allowedHosts": ["app.example", "localhost:3000", "App2.Example"]])

    for page in [
      "https://app.example/in", "http://localhost:3000/?a=b", "https://APP.example/",
      "https://app2.example/x",
    ] {
      let challenge = try await home.challenge(address, continueURL: page)
      #expect(challenge.proof.hasPrefix(page))
      #expect(challenge.proof.contains("oobCode="))
    }
  }

  /// Addresses of other hosts, including those that one parser reads as `app.example` and another does not.
  static let foreign = [
    "https://evil.example/", "https://app.example.evil.example/", "https://evilapp.example/",
    "https://app.example@evil.example/", "https://evil.example\\@app.example/",
    "https://evil.example#@app.example/", "https://app.example:444/", "http://app.example/",
    "//app.example/", "app.example", "javascript://app.example/%0Aalert(1)",
    "ftp://app.example/", "https://app.example\u{2025}evil.example/", "https://app。example/",
    "https://app.example/\r\nX: y", "https://app.example/ x", "https:/app.example/",
    "https://", "", "https://app.example\t.evil.example/", "https://app.example./",
    "http://localhost:3001/", "https://app.example%00.evil.example/", "https://u:p@app.example/",
    "https://u@app.example/",
  ]

  @Test(arguments: foreign)
  func `attack 30: a request cannot have the link lead to another host`(url: String) async {
    for settings: [String: JSONValue] in [
      ["allowedHosts": ["app.example"]], ["linkBase": "https://app.example/in"],
    ] {
      let home = CodeHome(EmailLinkProvider(), settings)

      let error = await home.expect(.unauthorizedContinueURI) {
        try await home.challenge(address, continueURL: url)
      }

      #expect(error?.field == "continueURL")
      #expect(home.messages.messages.isEmpty)
    }
  }

  @Test func `attack 30: the page that is set wins over what a request names`() async throws {
    let home = CodeHome(
      EmailLinkProvider(),
      ["linkBase": "https://app.example/in", "allowedHosts": ["shop.example"]])

    let challenge = try await home.challenge(address, continueURL: "https://shop.example/#/cart")

    #expect(challenge.proof.hasPrefix("https://app.example/in?mode=signIn&oobCode="))
    #expect(challenge.proof.hasSuffix("&continueUrl=https%3A%2F%2Fshop.example%2F%23%2Fcart"))
  }

  @Test(arguments: [
    "https://app.example/?mode=resetPassword", "https://app.example/?oobCode=x.y",
    "https://app.example/#/in", "https://app.example/?link=https%3A%2F%2Fevil.example",
  ])
  func `a page that would change what the link means is refused`(page: String) async {
    let request = CodeHome(EmailLinkProvider(), ["allowedHosts": ["app.example"]])
    let setting = CodeHome(EmailLinkProvider(), ["linkBase": .string(page)])

    await request.expect(.unauthorizedContinueURI) {
      try await request.challenge(address, continueURL: page)
    }
    let error = await setting.expect(.operationNotAllowed) {
      try await setting.challenge(address)
    }
    #expect(error?.field == "linkBase")
  }

  @Test(arguments: ["http://app.example/", "app.example", "https://", "javascript:alert(1)"])
  func `a page that is no https address is refused`(base: String) async {
    let home = CodeHome(EmailLinkProvider(), ["linkBase": .string(base)])

    let error = await home.expect(.operationNotAllowed) { try await home.challenge(address) }

    #expect(error?.field == "linkBase")
  }

  @Test(arguments: ["http://localhost:8080/in", "http://127.0.0.1/in", "http://[::1]:80/in"])
  func `a page on this machine needs no TLS`(base: String) async throws {
    let home = CodeHome(EmailLinkProvider(), ["linkBase": .string(base)])

    #expect(try await home.challenge(address).proof.hasPrefix("\(base)?mode=signIn"))
  }
}
