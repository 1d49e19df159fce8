import AuthCore
import SMTPMessages
import Testing

/// Addresses and names that try to send the mail server more than one message.
@Suite struct `Injection into mail` {
  private let configuration = SMTPConfiguration(
    host: "127.0.0.1", port: 1, protection: .none, from: "no-reply@shop.example")

  @Test(arguments: [
    "ada@example.com\r\nRCPT TO:<eve@example.com>", "ada@example.com\nBcc: eve@example.com",
    "ada@example.com> SIZE=1", "<ada@example.com", "ada@example.com,eve@example.com", "ada",
    "@example.com", "ada@", "ada@b@example.com", "ada\u{0}@example.com", "ada@example.com\u{2028}x",
    "\"a b\"@example.com", "ada @example.com", "ada@exa\u{202E}mple.com", "",
  ])
  func `an address that is more than one is refused before anything is sent`(
    _ address: String
  ) async throws {
    let sender = try SMTPMessageSender(configuration)

    let error = await #expect(throws: AuthError.self) {
      try await sender.send(linkMessage(to: address))
    }

    #expect(error?.code == .invalidEmail)
    #expect(error?.field == "email")
  }

  @Test func `the sender's own fields are checked too`() {
    var named = configuration
    named.fromName = "Shop\r\nBcc: eve@example.com"
    var from = configuration
    from.from = "a@b.example\r\nX: y"

    for (configuration, field) in [(named, "fromName"), (from, "from")] {
      let error = #expect(throws: AuthError.self) { try SMTPMessageSender(configuration) }
      #expect(error?.field == field)
    }
    #expect(throws: AuthError.self) {
      try MessageTemplate(subject: "a\r\nBcc: b@c.example", plain: "{link}")
    }
  }

  @Test func `a project's name cannot add a header`() async throws {
    let server = try RealMailServer(.none)
    var configuration = SMTPConfiguration(
      host: "127.0.0.1", port: server.port, protection: .none, from: "no-reply@shop.example")
    configuration.texts.projectNames = [
      "shop": "Shop\r\nBcc: eve@example.com\r\n\r\n<b>{link}</b>\u{600}<i>"
    ]

    try await SMTPMessageSender(configuration).send(
      linkMessage(from: "<script>\r\n.\r\nMAIL FROM:<eve@example.com>"))

    let mail = try server.next()
    #expect(mail["to"] == ["ada@example.com"])
    #expect(mail["headers"]?["bcc"] == nil)
    #expect(
      mail["headers"]?["subject"] == "Sign in to ShopBcc: eve@example.com<b>{link}</b><i>")
    #expect(mail["html"]?.stringValue?.contains("<script>") == false)
    #expect(
      mail["html"]?.stringValue?.utf8.contains("&lt;b&gt;{link}&lt;/b&gt;\u{600}&lt;i&gt;".utf8)
        == true)
  }

  @Test func `a password does not go over the network without TLS`() {
    var remote = SMTPConfiguration(
      host: "mail.example", port: 25, protection: .none, from: "a@b.example")
    remote.userName = "ada"
    remote.password = Secret("s3cret")

    let error = #expect(throws: AuthError.self) { try SMTPMessageSender(remote) }
    #expect(error?.field == "protection")
    remote.host = "127.0.0.1.evil.example"
    #expect(throws: AuthError.self) { try SMTPMessageSender(remote) }
    remote.host = "127.0.0.1"
    #expect(throws: Never.self) { try SMTPMessageSender(remote) }
  }
}
