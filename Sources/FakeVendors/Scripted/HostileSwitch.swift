import NIOConcurrencyHelpers

/// Makes a running provider hostile, and honest again.
final class HostileSwitch: Sendable {
  private let records: VendorRecords
  private let log: ServerLog
  private let shown = NIOLockedValueBox(HostileSet.honest)

  init(_ records: VendorRecords, _ log: ServerLog) {
    self.records = records
    self.log = log
  }

  var current: HostileSet { shown.withLockedValue(\.self) }

  /// Shows these faults from now on, and no others.
  func turn(to wanted: HostileSet) {
    shown.withLockedValue { shown in
      shown = wanted
      records.with { $0.misbehavior = wanted.misbehavior }
      // Some hostile tokens have published a key beside the true one.
      records.keys.dropOthers()
      log.behaveEverywhere()
      for behavior in wanted.behaviors {
        guard case .transport(let transport) = behavior.kind else { continue }
        log.misbehave(transport, at: behavior.path, times: nil)
      }
    }
  }
}
