import AuthCore
import Foundation
import Testing

@testable import SMTPMessages

/// Templates, and the routes of messages.
@Suite struct `Texts of messages` {
  @Test(arguments: MessageTexts.usual.keys.sorted())
  func `each usual text has its link, its end and the request's origin`(_ kind: String) throws {
    let usual = try #require(MessageTexts.usual[kind])

    #expect(throws: Never.self) { try MessageTemplate(subject: usual.subject, plain: usual.plain) }
    for place in ["{link}", "{expiresAt}", "{requestedFrom}", "{project}", "{email}"] {
      #expect(usual.plain.contains(place), "\(kind) \(place)")
    }
  }

  @Test func `each kind of link has a usual text, and nothing else has one`() {
    let links = OutgoingMessage.Kind.allCases.filter(\.carriesLink).map(\.rawValue)
    #expect(Set(MessageTexts.usual.keys) == Set(links))
  }

  @Test(arguments: [
    ("de-AT", "Bitte: "), ("de", "Bitte: "), ("pt_BR", "Abra: "), ("pt", "Open: "),
    ("fr", "Open: "), (nil, "Open: "),
  ])
  func `the template of a language is for its readers`(
    _ locale: String?, _ beginning: String
  ) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "texts-\(UUID())").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    for (name, word) in [
      ("change-email", "Open"), ("change-email.de", "Bitte"), ("change-email.pt-BR", "Abra"),
    ] {
      try "Subject: x\n\n\(word): {link}".write(
        toFile: "\(folder)/\(name).txt", atomically: true, encoding: .utf8)
    }
    let message = OutgoingMessage(
      kind: .changeEmail, scope: Scope(project: "shop"), recipient: "ada@example.com",
      proof: Secret("https://auth.example/link"), expiresAt: .now(), locale: locale)

    let text = try MessageTexts(folder: folder).text(for: message)

    #expect(text.plain == "\(beginning)https://auth.example/link")
  }

  @Test func `a template without a link or with an unknown place is refused`() {
    let missing = #expect(throws: AuthError.self) {
      try MessageTemplate(subject: "Hello", plain: "no link")
    }
    let misspelled = #expect(throws: AuthError.self) {
      try MessageTemplate(subject: "Hello {projekt}", plain: "{link}")
    }

    #expect(missing?.field == "text")
    #expect(misspelled?.field == "subject")
    #expect(misspelled?.remedy == "Did you mean \"project\"?")
  }

  @Test func `templates are read from a folder, and errors name the file`() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "texts-\(UUID())").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try "Subject: Hej {project}\n\nHär: {link}\n".write(
      toFile: "\(folder)/email-link.txt", atomically: true, encoding: .utf8)
    try "<h1>{project}</h1><a href=\"{link}\">In</a>".write(
      toFile: "\(folder)/email-link.html", atomically: true, encoding: .utf8)

    let text = try MessageTexts(folder: folder).text(for: linkMessage(project: "a<b"))

    #expect(text.subject == "Hej a<b")
    #expect(text.plain == "Här: https://auth.example/link?code=a&lang=en\n")
    #expect(
      text.html
        == "<h1>a&lt;b</h1><a href=\"https://auth.example/link?code=a&amp;lang=en\">In</a>")

    try "Subject: x\n\n{lnik}".write(
      toFile: "\(folder)/verify-email.txt", atomically: true, encoding: .utf8)
    let error = #expect(throws: AuthError.self) { try MessageTexts(folder: folder) }
    #expect(error?.message.contains("verify-email.txt") == true)
    #expect(error?.remedy == "Did you mean \"link\"?")
    try FileManager.default.moveItem(
      atPath: "\(folder)/verify-email.txt", toPath: "\(folder)/verify-mail.txt")
    let unknown = #expect(throws: AuthError.self) { try MessageTexts(folder: folder) }
    #expect(unknown?.remedy == "Did you mean \"verify-email\"?")
  }

  @Test func `a value that looks like a place is not filled again`() throws {
    let template = try MessageTemplate(subject: "{project}", plain: "{project} {link}")

    let text = template.filled(["project": "{link}", "link": "https://l.example"])

    #expect(text.subject == "{link}")
    #expect(text.plain == "{link} https://l.example")
  }

  @Test func `mail goes one way and messages to phones another`() async throws {
    let smtp = try SMTPMessageSender(
      SMTPConfiguration(host: "127.0.0.1", port: 1, protection: .none, from: "a@b.example"))
    let phones = Recorder()
    let message = OutgoingMessage(
      kind: .phoneSignIn, scope: Scope(project: "shop"), recipient: "+15550100",
      proof: Secret("123456"), expiresAt: .now())

    let refused = await #expect(throws: AuthError.self) { try await smtp.send(message) }
    try await MessageRouter(mail: smtp, phone: phones).send(message)

    #expect(refused?.code == .operationNotAllowed)
    #expect(refused?.remedy?.contains("webhook") == true)
    #expect(await phones.recipients == ["+15550100"])
  }

  private actor Recorder: MessageSender {
    var recipients: [String] = []

    func send(_ message: OutgoingMessage) async throws {
      recipients.append(message.recipient)
    }
  }
}
