public import AuthValues

/// Sends messages for e-mail addresses with one sender, and those for phones with another.
public struct MessageRouter: MessageSender {
  private let mail: any MessageSender
  private let phone: any MessageSender

  /// Makes a router from two senders.
  public init(mail: any MessageSender, phone: any MessageSender) {
    self.mail = mail
    self.phone = phone
  }

  /// Sends a message with the sender of its kind; throws the sender's errors.
  public func send(_ message: OutgoingMessage) async throws {
    try await way(for: message.kind).send(message)
  }

  /// Throws if the sender of a kind cannot send it.
  public func check(_ kind: OutgoingMessage.Kind) throws { try way(for: kind).check(kind) }

  private func way(for kind: OutgoingMessage.Kind) -> any MessageSender {
    kind.isForPhone ? phone : mail
  }
}
