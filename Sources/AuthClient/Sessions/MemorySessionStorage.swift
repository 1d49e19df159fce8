public import Foundation

/// A storage in memory, for the life of the process.
public final class MemorySessionStorage: SessionStorage {
  private let data = Locked<Data?>(nil)

  /// Makes an empty storage.
  public init() {}

  /// Returns the stored bytes; nil if there are none.
  public func load() throws -> Data? { data.withLock { $0 } }

  /// Replaces the stored bytes.
  public func save(_ data: Data) throws { self.data.withLock { $0 = data } }

  /// Removes the stored bytes.
  public func remove() throws { data.withLock { $0 = nil } }
}
