public import AuthCore
import NIOConcurrencyHelpers

/// A message sender that keeps messages for a test, instead of delivering them.
public final class CollectingMessageSender: MessageSender {
  private struct Box {
    var messages: [OutgoingMessage] = []
    var failure: AuthError?
  }

  private let box = NIOLockedValueBox(Box())

  /// Makes a sender without messages.
  public init() {}

  /// The sent messages, oldest first.
  public var messages: [OutgoingMessage] { box.withLockedValue(\.messages) }

  /// Returns the newest message to a recipient, or to any recipient if it is nil.
  public func last(to recipient: String? = nil) -> OutgoingMessage? {
    messages.last { recipient == nil || $0.recipient == recipient }
  }

  /// Makes further messages fail, or with nil arrive again.
  public func fail(with failure: AuthError?) {
    box.withLockedValue { $0.failure = failure }
  }

  /// Removes the sent messages.
  public func removeAll() {
    box.withLockedValue { $0.messages = [] }
  }

  /// Keeps a message, or throws the error of ``fail(with:)``.
  public func send(_ message: OutgoingMessage) async throws {
    try box.withLockedValue { box in
      if let failure = box.failure { throw failure }
      box.messages.append(message)
    }
  }
}
