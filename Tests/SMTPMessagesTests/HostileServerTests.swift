import AuthCore
import SMTPMessages
import Testing

/// Malicious or broken mail servers, and attackers on the way to them.
@Suite struct `A mail server that misbehaves` {
  private static let polite: HostileMailServer.Answers = [
    ("EHLO", "250-mail.example\r\n250-SIZE 1000\r\n250 8BITMIME\r\n"), ("MAIL", "250 ok\r\n"),
    ("RCPT", "250 ok\r\n"), ("DATA", "354 go on\r\n"), (".", "250 taken\r\n"),
  ]

  private func send(
    to server: HostileMailServer, _ protection: SMTPConfiguration.Protection = .none,
    timeout: Duration = .seconds(20), signingIn: Bool = false
  ) async -> AuthError? {
    var configuration = SMTPConfiguration(
      host: "127.0.0.1", port: server.port, protection: protection, from: "no-reply@shop.example")
    configuration.timeout = timeout
    if signingIn {
      configuration.userName = "ada"
      configuration.password = Secret("s3cret-word")
    }
    do {
      try await SMTPMessageSender(configuration).send(linkMessage())
      return nil
    } catch {
      return error as? AuthError
    }
  }

  @Test func `answers of several lines are read whole`() async throws {
    let server = try await HostileMailServer(
      greeting: "220-Welcome\r\n220-to\r\n220 mail.example\r\n", Self.polite)

    #expect(await send(to: server) == nil)
    #expect(server.lines.contains("MAIL FROM:<no-reply@shop.example>"))
    #expect(server.lines.contains("RCPT TO:<ada@example.com>"))
  }

  @Test func `without STARTTLS nothing but the greeting is sent`() async throws {
    let server = try await HostileMailServer(Self.polite)

    let error = await send(to: server, .startTLS, signingIn: true)

    #expect(error?.code == .networkRequestFailed)
    #expect(error?.message.contains("no STARTTLS") == true)
    #expect(server.lines == ["EHLO localhost"])
  }

  @Test func `a STARTTLS that is refused is no reason to go on in plain`() async throws {
    let server = try await HostileMailServer([
      ("EHLO", "250-mail.example\r\n250 STARTTLS\r\n"), ("STARTTLS", "454 not now\r\n"),
    ])

    let error = await send(to: server, .startTLS)

    #expect(error?.code == .networkRequestFailed)
    #expect(server.lines == ["EHLO localhost", "STARTTLS"])
  }

  @Test func `answers slipped in before TLS are refused`() async throws {
    let server = try await HostileMailServer([
      ("EHLO", "250-mail.example\r\n250 STARTTLS\r\n"),
      ("STARTTLS", "220 go on\r\n250-mail.example\r\n250 AUTH PLAIN\r\n"),
    ])

    let error = await send(to: server, .startTLS, signingIn: true)

    #expect(error?.code == .networkRequestFailed)
    #expect(error?.message.contains("between STARTTLS and TLS") == true)
    #expect(!server.lines.contains { $0.hasPrefix("AUTH") })
  }

  @Test func `half an answer slipped in before TLS is refused`() async throws {
    let server = try await HostileMailServer([
      ("EHLO", "250-mail.example\r\n250 STARTTLS\r\n"), ("STARTTLS", "220 go on\r\n250-mail"),
    ])

    let error = await send(to: server, .startTLS)

    #expect(error?.message.contains("between STARTTLS and TLS") == true)
  }

  @Test func `TLS that does not follow is an error`() async throws {
    let server = try await HostileMailServer([
      ("EHLO", "250-mail.example\r\n250 STARTTLS\r\n"), ("STARTTLS", "220 go on\r\n"),
      ("", "220 plain again\r\n"),
    ])

    #expect(await send(to: server, .startTLS, timeout: .seconds(2))?.code == .networkRequestFailed)
    #expect(!server.lines.contains { $0.hasPrefix("MAIL") })
  }

  @Test(arguments: [
    ("MAIL", "451 4.7.1 Slow down\r\n", AuthError.Code.quotaExceeded),
    ("RCPT", "452 4.5.3 Too many recipients\r\n", .quotaExceeded),
    ("RCPT", "421 Rate limit exceeded\r\n", .quotaExceeded),
    ("RCPT", "450 4.2.1 Mailbox busy\r\n", .networkRequestFailed),
    ("RCPT", "550 5.1.1 No such person\r\n", .networkRequestFailed),
    ("DATA", "554 No\r\n", .networkRequestFailed), (".", "552 Too big\r\n", .networkRequestFailed),
    ("DATA", "250 what\r\n", .networkRequestFailed), ("EHLO", "502 No\r\n", .networkRequestFailed),
    ("MAIL", HostileMailServer.close, .networkRequestFailed),
    ("MAIL", "what is this\r\n", .networkRequestFailed),
    ("EHLO", "250-one\r\n251 two\r\n", .networkRequestFailed),
    ("MAIL", "250\u{7}ok\r\n", .networkRequestFailed),
  ])
  func `a refusal is one error without the link`(
    _ command: String, _ answer: String, _ code: AuthError.Code
  ) async throws {
    let server = try await HostileMailServer([(command, answer)] + Self.polite)

    let error = await send(to: server)

    #expect(error?.code == code, "\(String(describing: error))")
    #expect(error?.debugDescription.contains("auth.example/link") == false)
  }

  @Test(arguments: ["", "EHLO", "RCPT", "."])
  func `silence ends with the time`(_ command: String) async throws {
    let server = try await HostileMailServer(
      greeting: command.isEmpty ? "" : "220 mail.example\r\n", [(command, "")] + Self.polite)

    let error = await send(to: server, timeout: .milliseconds(300))

    #expect(error?.code == .networkRequestFailed)
    #expect(error?.message.contains("took too long") == true)
  }

  @Test func `a line without end is not read to its end`() async throws {
    let server = try await HostileMailServer(
      greeting: "220 " + String(repeating: "x", count: 100_000), [])

    #expect(await send(to: server)?.message.contains("does not speak SMTP") == true)
  }

  @Test func `lines without end are not read to their end`() async throws {
    let server = try await HostileMailServer(
      greeting: String(repeating: "220-more\r\n", count: 10_000), [])

    #expect(await send(to: server)?.message.contains("does not speak SMTP") == true)
  }

  @Test func `a server that repeats the sign-in does not bring it into the error`() async throws {
    let server = try await HostileMailServer([
      ("EHLO", "250-mail.example\r\n250 AUTH LOGIN\r\n"), ("AUTH", "334 VXNlcm5hbWU6\r\n"),
      ("YWRh", "334 UGFzc3dvcmQ6\r\n"), ("czNjcmV0LXdvcmQ=", "535 bad: s3cret-word\r\n"),
    ])

    let error = await send(to: server, signingIn: true)

    #expect(error?.message.contains("535") == true)
    #expect(error?.debugDescription.contains("s3cret") == false)
  }

  @Test func `a task that is cancelled does not wait for the server`() async throws {
    let server = try await HostileMailServer(greeting: "", [])
    let task = Task { await send(to: server, timeout: .seconds(60)) }
    task.cancel()

    #expect(await task.value == nil)
  }

  @Test func `a port without a listener is one error`() async throws {
    let port = try await HostileMailServer([]).port
    let configuration = SMTPConfiguration(
      host: "127.0.0.1", port: port, protection: .none, from: "no-reply@shop.example")
    let sender = try SMTPMessageSender(configuration)

    await #expect(throws: AuthError.self) { try await sender.check() }
  }
}
