/// A sender for a graph without one; it refuses every message.
struct NoMessages: MessageSender {
  func send(_ message: OutgoingMessage) async throws { throw Self.missing }

  func check(_ kind: OutgoingMessage.Kind) throws { throw Self.missing }

  private static let missing = AuthError(
    .operationNotAllowed, "This graph has no message sender.",
    remedy: "Pass one to GraphServices(messages:), or name a web service by --messages.")
}
