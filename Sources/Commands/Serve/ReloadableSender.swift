import AuthCore
import BuiltInProviders
import SMTPMessages
import NIOConcurrencyHelpers

/// Sends messages with the sender of the newest configuration.
final class ReloadableSender: MessageSender {
  private let sender: NIOLockedValueBox<any MessageSender>

  init(_ sender: any MessageSender) {
    self.sender = NIOLockedValueBox(sender)
  }

  func send(_ message: OutgoingMessage) async throws {
    try await sender.withLockedValue { $0 }.send(message)
  }

  func check(_ kind: OutgoingMessage.Kind) throws {
    try sender.withLockedValue { $0 }.check(kind)
  }

  func replace(by sender: any MessageSender) {
    self.sender.withLockedValue { $0 = sender }
  }
}

extension Configuration.Messages {
  /// Makes the message sender; throws if it cannot be used.
  func sender(_ transport: any HTTPTransport) throws -> any MessageSender {
    let other: any MessageSender =
      if let webhook {
        webhook.sender(transport)
      } else if log {
        LogMessageSender()
      } else {
        RefusingSender()
      }
    guard let smtp else { return other }
    return MessageRouter(mail: try SMTPMessageSender(smtp), phone: other)
  }
}

extension Configuration.Webhook {
  func sender(_ transport: any HTTPTransport) -> WebhookMessageSender {
    // The admin chose the service, so it may be on a private host.
    WebhookMessageSender(
      transport: transport, url: url, secret: secret,
      privateHosts: URLText.host(of: url).map { [$0] } ?? [])
  }
}

/// Refuses every message, for a server without a way to send any.
struct RefusingSender: MessageSender {
  func send(_ message: OutgoingMessage) async throws { throw Self.missing }

  func check(_ kind: OutgoingMessage.Kind) throws { throw Self.missing }

  private static let missing = AuthError(
    .operationNotAllowed, "This server has no way to send such messages.",
    remedy: "Configure messages.smtp for mail, or messages.webhook for mail and phones.",
    step: .credential)
}
