public import AuthCore
import Synchronization

/// Keeps messages instead of delivering them, so that a test reads the code that was sent.
public final class CollectingMessageSender: MessageSender {
  private struct Box {
    var messages: [OutgoingMessage] = []
    var failure: AuthError?
  }

  private let box = Mutex(Box())

  public init() {}

  /// What was sent, oldest first.
  public var messages: [OutgoingMessage] { box.withLock(\.messages) }

  /// The newest message to a recipient, or to anybody where none is named.
  public func last(to recipient: String? = nil) -> OutgoingMessage? {
    messages.last { recipient == nil || $0.recipient == recipient }
  }

  /// Makes every message from now on fail, or with nil arrive again.
  public func fail(with failure: AuthError?) {
    box.withLock { $0.failure = failure }
  }

  /// Forgets what was sent.
  public func removeAll() {
    box.withLock { $0.messages = [] }
  }

  public func send(_ message: OutgoingMessage) async throws {
    try box.withLock { box in
      if let failure = box.failure { throw failure }
      box.messages.append(message)
    }
  }
}
