public import AuthCore
import NIOConcurrencyHelpers

/// Keeps messages instead of delivering them, so that a test reads the code that was sent.
public final class CollectingMessageSender: MessageSender {
  private struct Box {
    var messages: [OutgoingMessage] = []
    var failure: AuthError?
  }

  private let box = NIOLockedValueBox(Box())

  public init() {}

  /// What was sent, oldest first.
  public var messages: [OutgoingMessage] { box.withLockedValue(\.messages) }

  /// The newest message to a recipient, or to anybody where none is named.
  public func last(to recipient: String? = nil) -> OutgoingMessage? {
    messages.last { recipient == nil || $0.recipient == recipient }
  }

  /// Makes every message from now on fail, or with nil arrive again.
  public func fail(with failure: AuthError?) {
    box.withLockedValue { $0.failure = failure }
  }

  /// Forgets what was sent.
  public func removeAll() {
    box.withLockedValue { $0.messages = [] }
  }

  public func send(_ message: OutgoingMessage) async throws {
    try box.withLockedValue { box in
      if let failure = box.failure { throw failure }
      box.messages.append(message)
    }
  }
}
