import AuthCore
import FakeVendors
import Foundation
import TestSupport
import Testing

/// The article about mail, codes, texts and the web service.
@Suite struct `The article on messages` {
  private let folder: TemporaryFolder
  private let article: Article

  init() throws {
    folder = try TemporaryFolder()
    article = try Article("Sources/AuthServer/AuthServer.docc/Messages.md")
  }

  @Test func `its configuration and its template are valid, and a misspelt place is not`() throws {
    let configuration = try #require(article.blocks("yaml").first)
    let file = try folder.write(
      "authgraph.yaml",
      "publicURL: https://auth.example.com\nstore: sqlite:accounts.db\n\(configuration)")
    for name in ["smtp-password", "messages-secret"] {
      chmod(try folder.write(name, "a long text of its own"), 0o600)
    }
    try FileManager.default.createDirectory(
      atPath: "\(folder.path)/templates", withIntermediateDirectories: true)
    let template = try #require(article.blocks("text").first)
    for name in ["reset-password.txt", "reset-password.de.txt"] {
      try folder.write("templates/\(name)", template)
    }
    let valid = try Program.run(["config", "check", file], in: folder, environment: [:])
    #expect(valid.status == 0, "\(valid.output)")

    try folder.write(
      "templates/change-email.txt", template.replacing("{expiresAt}", with: "{expires}"))
    let wrong = try Program.run(["config", "check", file], in: folder, environment: [:])
    #expect(wrong.status == 1)
    #expect(wrong.output.contains("change-email.txt: The template has no place {expires}."))
  }

  @Test func `its settings are those of the console`() throws {
    let blocks = article.blocks("lua")
    #expect(blocks.count == 2)
    for block in blocks {
      let outcome = try Program.run(
        ["console", "--store", "memory:", "-e", "(\(block)).action"], in: folder)
      #expect(outcome.status == 0, "\(block)\n\(outcome.errors)")
    }
  }

  @Test func `it has every kind, and what it carries`() throws {
    for kind in OutgoingMessage.Kind.allCases {
      let row = article.prose.first { $0.hasPrefix("| `\(kind.rawValue)` |") }
      #expect(row?.contains(kind.carriesLink ? "a link" : "a code") == true, "\(kind)")
    }
  }

  @Test func `its function takes the server's message, and refuses a forged one`() async throws {
    let service = try await VendorServer.start { _ in VendorResponse(status: 204) }
    chmod(try folder.write("messages-secret", "secret-of-messages"), 0o600)
    let file = try folder.write(
      "authgraph.yaml",
      """
      publicURL: http://127.0.0.1:9099
      store: sqlite:accounts.db
      listen: { port: 0 }
      messages:
        webhook: { url: "http://127.0.0.1:\(service.port)/send", secret: { file: messages-secret } }

      """)
    let function = try #require(article.blocks("python").first)
    let program = try folder.write(
      "receive.py",
      """
      import sys
      \(function)
      try:
        print(json.dumps(message({"Authgraph-Signature": sys.argv[1]}, sys.argv[2].encode(), sys.argv[3].encode())))
      except PermissionError as error:
        print(error)
      """)
    try await blocking { [self] in
      let server = try RunningServer(["--config", file], in: folder)
      let answer = try server.get(
        "/v1/accounts:sendVerificationCode?key=any",
        ["-H", "Content-Type: application/json", "-d", #"{"phoneNumber": "+15555550100"}"#])
      #expect(answer.status == 200, "\(answer.body)")
      let request = try service.requests(to: "/send").first.unwrapped("a request")
      let signature = try request.headers["authgraph-signature"].unwrapped("a signature")
      let body = String(decoding: request.body, as: UTF8.self)

      func shown(_ body: String, _ secret: String) throws -> String {
        try Program.run(
          [program, signature, body, secret], of: "/usr/bin/python3", in: folder
        ).output
      }
      let message = try JSONValue(text: try shown(body, "secret-of-messages"))
      #expect(message["kind"] == "phone-sign-in" && message["recipient"] == "+15555550100")
      #expect(message["code"]?.stringValue?.count == 6)
      let forged = body.replacing("+15555550100", with: "+15555550199")
      for (body, secret) in [(forged, "secret-of-messages"), (body, "another")] {
        #expect(try shown(body, secret).contains("no valid signature"))
      }
      // The table names every member.
      guard case .object(let members) = message else { throw Failed(description: body) }
      for name in members.keys { #expect(article.text.contains("`\(name)`"), "\(name)") }
    }
  }
}
