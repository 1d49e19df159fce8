import AuthCore
import NIOConcurrencyHelpers

/// The events of every scope.
///
/// An event's index is its sequence number minus one.
///
/// All copies of a state share it, and each sees the first `count` events, so that a transaction does not copy a
/// growing history. Events of a failed transaction are removed again.
final class EventLog: Sendable {
  private struct Contents {
    var events: [AuditEvent] = []
    var places: [Key: Int] = [:]
  }

  private struct Key: Hashable {
    let scope: MemoryState.ScopeKey
    let id: ExactText

    init(_ id: String, _ scope: Scope) {
      self.scope = MemoryState.ScopeKey(scope)
      self.id = ExactText(id)
    }
  }

  private let contents = NIOLockedValueBox(Contents())

  /// Returns the first `count` events.
  func prefix(_ count: Int) -> ArraySlice<AuditEvent> {
    contents.withLockedValue { $0.events.prefix(count) }
  }

  func event(_ id: String, in scope: Scope, among count: Int) -> AuditEvent? {
    contents.withLockedValue { contents in
      contents.places[Key(id, scope)].flatMap { $0 < count ? contents.events[$0] : nil }
    }
  }

  func append(_ event: AuditEvent) {
    contents.withLockedValue { contents in
      contents.places[Key(event.id, event.scope)] = contents.events.count
      contents.events.append(event)
    }
  }

  /// Removes the events after the first `count`.
  func truncate(to count: Int) {
    contents.withLockedValue { contents in
      for event in contents.events[count...] {
        contents.places[Key(event.id, event.scope)] = nil
      }
      contents.events.removeLast(contents.events.count - count)
    }
  }
}
