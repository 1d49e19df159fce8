import AuthClient
import Foundation
import NIOConcurrencyHelpers

/// A record of the users that listeners are called with, in order.
final class Hearing: Sendable {
  private let heard = NIOLockedValueBox<[String?]>([])

  func note(_ user: User?) { heard.withLockedValue { $0.append(user?.uid) } }

  /// The uids; nil for no user.
  ///
  /// Waits for pending calls on the main queue first.
  var uids: [String?] {
    get async {
      await settled()
      return heard.withLockedValue(\.self)
    }
  }
}

extension Auth {
  /// Records the calls of a state listener from now on.
  func hearingStates() -> (Hearing, any NSObjectProtocol) {
    let hearing = Hearing()
    return (hearing, addStateDidChangeListener { _, user in hearing.note(user) })
  }

  /// Records the calls of a token listener from now on.
  func hearingTokens() -> (Hearing, any NSObjectProtocol) {
    let hearing = Hearing()
    return (hearing, addIDTokenDidChangeListener { _, user in hearing.note(user) })
  }
}

/// Waits until the main queue has done its present work.
func settled() async {
  await withCheckedContinuation { done in DispatchQueue.main.async { done.resume() } }
}
