import AuthCore
import NIOConcurrencyHelpers

/// Facts that the emulator's answers show and the store does not keep.
///
/// They end with the process, and their number is bounded.
final class EmulatorMemory: Sendable {
  private static let most = 10_000
  private let projects = NIOLockedValueBox<Set<String>>([])
  private let withdrawn = NIOLockedValueBox<Set<Place>>([])

  private struct Place: Hashable {
    let scope: Scope
    let account: AccountID
  }

  /// Returns true the first time that a project is named.
  func isNew(_ project: String) -> Bool { projects.withLockedValue { Self.insert(project, &$0) } }

  /// Notes that an account withdrew a second factor.
  func noteWithdrawal(by account: Account) {
    let place = Place(scope: account.scope, account: account.id)
    withdrawn.withLockedValue { _ = Self.insert(place, &$0) }
  }

  /// Tells whether an account withdrew a second factor.
  func hasWithdrawn(_ account: Account) -> Bool {
    let place = Place(scope: account.scope, account: account.id)
    return withdrawn.withLockedValue { $0.contains(place) }
  }

  private static func insert<Element>(_ element: Element, _ known: inout Set<Element>) -> Bool {
    known.count < most && known.insert(element).inserted
  }
}
