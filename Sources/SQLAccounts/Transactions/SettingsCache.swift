import AuthCore
import NIOConcurrencyHelpers

/// A cache of decoded settings by revision, so that reading settings takes one small query.
///
/// Revisions are random, so one that was rolled back or written by another process is never mistaken for another.
package final class SettingsCache: Sendable {
  private static let capacity = 1000

  private let decoded = NIOLockedValueBox<[Int64: ProjectSettings]>([:])

  package init() {}

  func known(_ revision: Int64) -> ProjectSettings? {
    decoded.withLockedValue { $0[revision] }
  }

  func keep(_ settings: ProjectSettings, of revision: Int64) {
    decoded.withLockedValue { decoded in
      if decoded.count >= Self.capacity { decoded.removeAll() }
      decoded[revision] = settings
    }
  }
}
