import AuthCore
import SMTPMessages
import Testing

/// Mail to an independent server.
@Suite struct `Mail to a real server` {
  private func configuration(
    _ server: RealMailServer, _ protection: SMTPConfiguration.Protection,
    host: String = "localhost"
  ) -> SMTPConfiguration {
    var configuration = SMTPConfiguration(
      host: host, port: server.port, protection: protection, from: "no-reply@shop.example")
    configuration.trustedCertificates = server.certificate
    return configuration
  }

  @Test(arguments: [
    (RealMailServer.Protection.none, SMTPConfiguration.Protection.none),
    (.starttls, .startTLS), (.tls, .tls),
  ])
  func `a link arrives as text and as HTML`(
    _ server: RealMailServer.Protection, _ protection: SMTPConfiguration.Protection
  ) async throws {
    let server = try RealMailServer(server)
    var configuration = configuration(server, protection)
    configuration.fromName = "Björn's Shop"
    configuration.texts.projectNames = ["shop": "Käse & Brot"]

    try await SMTPMessageSender(configuration).send(linkMessage())

    let mail = try server.next()
    #expect(mail["tls"] == .bool(protection != .none))
    #expect(mail["from"] == "no-reply@shop.example")
    #expect(mail["to"] == ["ada@example.com"])
    #expect(mail["headers"]?["from"] == "Björn's Shop <no-reply@shop.example>")
    #expect(
      mail["headers"]?["to"] == "<ada@example.com>" || mail["headers"]?["to"] == "ada@example.com")
    #expect(mail["headers"]?["subject"] == "Sign in to Käse & Brot")
    #expect(mail["headers"]?["auto-submitted"] == "auto-generated")
    #expect(mail["headers"]?["message-id"]?.stringValue?.hasSuffix("@shop.example>") == true)
    #expect(mail["headers"]?["date"]?.stringValue?.hasSuffix("+0000") == true)
    #expect(mail["defects"] == [])
    let plain = try #require(mail["plain"]?.stringValue?.replacing("\r\n", with: "\n"))
    #expect(plain.contains("\nhttps://auth.example/link?code=a&lang=en\n"))
    #expect(plain.contains("Käse & Brot as ada@example.com"))
    #expect(plain.contains("asked for from 203.0.113.7"))
    #expect(plain.contains("once, until 2026-11-21 17:00 UTC"))
    let html = try #require(mail["html"]?.stringValue)
    #expect(html.contains("<a href=\"https://auth.example/link?code=a&amp;lang=en\">"))
    #expect(html.contains("Käse &amp; Brot"))
  }

  @Test(arguments: ["", "PLAIN"]) func `a user signs in`(_ withheld: String) async throws {
    let server = try RealMailServer(.starttls, asksForSignIn: true, methods: withheld)
    var configuration = configuration(server, .startTLS, host: "127.0.0.1")
    configuration.userName = "ada"
    configuration.password = Secret("s3cret-Wörd")

    try await SMTPMessageSender(configuration).send(linkMessage())

    let mail = try server.next()
    #expect(mail["user"]?.stringValue?.hasPrefix(withheld.isEmpty ? "PLAIN" : "LOGIN") == true)
  }

  @Test func `a wrong password is one error without it`() async throws {
    let server = try RealMailServer(.starttls, asksForSignIn: true)
    var configuration = configuration(server, .startTLS)
    configuration.userName = "ada"
    configuration.password = Secret("wrong-word")
    let sender = try SMTPMessageSender(configuration)

    let error = await #expect(throws: AuthError.self) { try await sender.send(linkMessage()) }

    #expect(error?.code == .networkRequestFailed)
    #expect(error?.message.contains("535") == true)
    #expect(error?.debugDescription.contains("wrong-word") == false)
  }

  @Test func `checking signs in and leaves without a message`() async throws {
    let server = try RealMailServer(.tls)

    try await SMTPMessageSender(configuration(server, .tls)).check()
  }

  @Test func `an untrusted certificate ends the delivery`() async throws {
    let server = try RealMailServer(.starttls)
    var configuration = configuration(server, .startTLS)
    configuration.trustedCertificates = nil
    let sender = try SMTPMessageSender(configuration)

    let error = await #expect(throws: AuthError.self) { try await sender.send(linkMessage()) }

    #expect(error?.code == .networkRequestFailed)
    #expect(error?.message.contains("TLS failed") == true)
  }

  @Test func `an address beyond ASCII goes to a server that supports it`() async throws {
    let server = try RealMailServer(.none)

    try await SMTPMessageSender(configuration(server, .none)).send(
      linkMessage(to: "jürgen@müller.example"))

    let mail = try server.next()
    #expect(mail["to"] == ["jürgen@müller.example"])
    #expect(mail["options"] == ["SMTPUTF8"])
  }

  @Test func `a template's long lines, dots and letters arrive as they are`() async throws {
    let server = try RealMailServer(.none)
    var configuration = configuration(server, .none)
    let text = """
      .
      ..two dots
      \(String(repeating: "lång = rad. ", count: 40))
      ends with a space\u{20}
      {link}
      .
      """
    configuration.texts.templates["email-link"] = try MessageTemplate(
      subject: "Ünlü \(String(repeating: "sehr langer Betreff ", count: 12))", plain: text)

    try await SMTPMessageSender(configuration).send(linkMessage())

    let mail = try server.next()
    #expect(
      mail["plain"]?.stringValue?.replacing("\r\n", with: "\n").trimmingNewlines
        == text.replacing("{link}", with: "https://auth.example/link?code=a&lang=en"))
    #expect(mail["headers"]?["subject"]?.stringValue?.hasPrefix("Ünlü sehr langer") == true)
    let raw = try #require(mail["raw"]?.stringValue)
    #expect(raw.split(whereSeparator: \.isNewline).allSatisfy { $0.utf8.count <= 78 })
  }
}

extension String {
  fileprivate var trimmingNewlines: String {
    String(reversed().drop(while: \.isNewline).reversed())
  }
}
