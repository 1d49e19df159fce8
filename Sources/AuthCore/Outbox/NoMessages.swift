/// A sender for a graph without one; it refuses every message.
struct NoMessages: MessageSender {
  func send(_ message: OutgoingMessage) async throws { throw Self.missing }

  func check(_ kind: OutgoingMessage.Kind) throws { throw Self.missing }

  private static let missing = AuthError(
    .operationNotAllowed, "There is nobody to send messages.",
    remedy: "Give the graph a message sender.")
}
