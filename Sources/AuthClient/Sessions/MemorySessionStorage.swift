public import Foundation
import NIOConcurrencyHelpers

/// A storage in memory, for the life of the process.
public final class MemorySessionStorage: SessionStorage {
  private let data = NIOLockedValueBox<Data?>(nil)

  /// Makes an empty storage.
  public init() {}

  /// Returns the stored bytes; nil if there are none.
  public func load() throws -> Data? { data.withLockedValue { $0 } }

  /// Replaces the stored bytes.
  public func save(_ data: Data) throws { self.data.withLockedValue { $0 = data } }

  /// Removes the stored bytes.
  public func remove() throws { data.withLockedValue { $0 = nil } }
}
