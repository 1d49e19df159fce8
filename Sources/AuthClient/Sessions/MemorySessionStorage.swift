public import Foundation
import NIOConcurrencyHelpers

/// Keeps a user for as long as the process runs, and no longer.
public final class MemorySessionStorage: SessionStorage {
  private let data = NIOLockedValueBox<Data?>(nil)

  public init() {}

  public func load() throws -> Data? { data.withLockedValue { $0 } }

  public func save(_ data: Data) throws { self.data.withLockedValue { $0 = data } }

  public func remove() throws { data.withLockedValue { $0 = nil } }
}
