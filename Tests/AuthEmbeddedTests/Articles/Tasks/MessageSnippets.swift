import AuthClient
import AuthCore
import AuthEmbedded
import IdentityToolkitService
// snippet: SMTP import
import SMTPMessages
// end
import SQLiteStore

/// The snippets of the article "Send messages".
enum MessageSnippets {
  static func open(
    _ path: String, _ deliver: @escaping @Sendable (String, String) async throws -> Void
  ) throws -> EmbeddedBackend {
    // snippet: messages
    var options = ServiceOptions(project: "demo-shop", publicURL: "https://app.example")
    options.messages = Mailer(deliver: deliver)
    let backend = EmbeddedBackend(
      store: try SQLiteStore(path: path), secrets: .keyFile("\(path).key"), options: options)
    // end
    return backend
  }

  static func smtp(password: String) throws -> SMTPMessageSender {
    // snippet: SMTP
    var server = SMTPConfiguration(
      host: "smtp.shop.example", port: 587, protection: .startTLS, from: "accounts@shop.example")
    server.fromName = "Shop"
    server.userName = "shop"
    server.password = Secret(password)
    let sender = try SMTPMessageSender(server)
    // end
    return sender
  }

  static func finish(_ backend: EmbeddedBackend) async {
    // snippet: finish messages
    await backend.services.courier.finish(within: .seconds(10))
    // end
  }
}

// snippet: sender
/// Hands the messages to a service of the app.
struct Mailer: MessageSender {
  let deliver: @Sendable (_ recipient: String, _ text: String) async throws -> Void

  func send(_ message: OutgoingMessage) async throws {
    let proof = message.proof.reveal()
    try await deliver(
      message.recipient, message.kind.carriesLink ? "Open \(proof)" : "Your code is \(proof).")
  }
}
// end
