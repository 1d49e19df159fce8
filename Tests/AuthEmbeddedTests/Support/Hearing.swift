import AuthClient
import Foundation
import NIOConcurrencyHelpers

/// Notes whom listeners are told of, in order.
final class Hearing: Sendable {
  private let heard = NIOLockedValueBox<[String?]>([])

  func note(_ user: User?) { heard.withLockedValue { $0.append(user?.uid) } }

  /// The uids, nil for nobody.
  ///
  /// What is on its way to the main queue comes first.
  var uids: [String?] {
    get async {
      await settled()
      return heard.withLockedValue(\.self)
    }
  }
}

extension Auth {
  /// What state listeners are told from now on.
  func hearingStates() -> (Hearing, any NSObjectProtocol) {
    let hearing = Hearing()
    return (hearing, addStateDidChangeListener { _, user in hearing.note(user) })
  }

  /// What token listeners are told from now on.
  func hearingTokens() -> (Hearing, any NSObjectProtocol) {
    let hearing = Hearing()
    return (hearing, addIDTokenDidChangeListener { _, user in hearing.note(user) })
  }
}

/// Waits until the main queue has done what is queued on it now.
func settled() async {
  await withCheckedContinuation { done in DispatchQueue.main.async { done.resume() } }
}
