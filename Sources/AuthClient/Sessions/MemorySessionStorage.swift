public import Foundation
import Synchronization

/// Keeps a user for as long as the process runs, and no longer.
public final class MemorySessionStorage: SessionStorage {
  private let data = Mutex<Data?>(nil)

  public init() {}

  public func load() throws -> Data? { data.withLock { $0 } }

  public func save(_ data: Data) throws { self.data.withLock { $0 = data } }

  public func remove() throws { data.withLock { $0 = nil } }
}
