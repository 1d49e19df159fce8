/// Events as rows, for many at once.
///
/// Each event is about one account, and no two are about the same.
package struct PackedEvents: Sendable {
  /// The columns of ``EventRow/columns``.
  package let rows: PackedRows
  /// The project, tenant and uid of each event's account.
  package let accounts: PackedRows

  /// Packs the events; nil unless each is about one account of its own.
  init?(_ events: [EventRow]) {
    guard events.allSatisfy({ $0.accounts.count == 1 }) else { return nil }
    let accounts = Set(events.map { Array($0.accounts[0].utf8) })
    guard accounts.count == events.count else { return nil }
    rows = PackedRows(events.map(\.values))
    self.accounts = PackedRows(events.map { $0.scope + [.string($0.accounts[0])] })
  }
}
