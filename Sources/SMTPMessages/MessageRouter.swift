public import AuthValues

/// Sends what is for e-mail addresses one way, and what is for phones another.
public struct MessageRouter: MessageSender {
  private let mail: any MessageSender
  private let phone: any MessageSender

  public init(mail: any MessageSender, phone: any MessageSender) {
    self.mail = mail
    self.phone = phone
  }

  public func send(_ message: OutgoingMessage) async throws {
    try await way(for: message.kind).send(message)
  }

  public func check(_ kind: OutgoingMessage.Kind) throws { try way(for: kind).check(kind) }

  private func way(for kind: OutgoingMessage.Kind) -> any MessageSender {
    kind.isForPhone ? phone : mail
  }
}
