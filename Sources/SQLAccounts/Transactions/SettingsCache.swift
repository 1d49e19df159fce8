import AuthCore
import NIOConcurrencyHelpers

/// Keeps decoded settings by their revision, so that reading them costs one small query.
///
/// Revisions are random, so a revision that was rolled back, or that another process wrote, is never mistaken for
/// another.
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
