import AuthCore
import BuiltInProviders
import Foundation
import PostgresStore
import SQLiteStore

extension StoreLocation {
  /// Opens the store, and creates a missing one unless `mustExist` is set.
  ///
  /// A database is never created: it has to exist, and gets tables if it has none. Its replicas may answer lookups.
  func open(mustExist: Bool = false, replicas: [String] = []) throws -> any AccountStore {
    switch self {
    case .memory: return try SQLiteStore.inMemory()
    case .postgres(let url): return try PostgresStore(url: url, replicas: replicas)
    case .sqlite(let path):
      guard !mustExist || FileManager.default.fileExists(atPath: path) else {
        throw AuthError(
          .storeUnavailable, "There is no store \(path).", field: "store",
          remedy: "Check the path.")
      }
      return try SQLiteStore(firstOpening: path)
    }
  }

  /// Opens the store for reading alone; throws if it is missing, or if its tables would have to be changed.
  func openForReading() throws -> any AccountStore {
    switch self {
    case .memory: ReadOnlyStore(try SQLiteStore.inMemory())
    case .postgres(let url): ReadOnlyStore(try PostgresStore(reading: url))
    case .sqlite(let path): ReadOnlyStore(try SQLiteStore(firstReading: path))
    }
  }

  /// Returns the sealing of the store's secrets, with a key file if one is named.
  func sealing(keyFile: String?) -> any SecretSealing {
    if let keyFile { return KeyFileSealing(path: keyFile) }
    return switch self {
    case .memory: EphemeralSealing()
    case .sqlite(let path): KeyFileSealing(path: "\(path).key")
    case .postgres: UnnamedKey()
    }
  }
}

/// Stands for a key that was not named: every use of it fails.
struct UnnamedKey: SecretSealing {
  func seal(_ text: String, for purpose: String) throws -> String { throw Self.error }
  func open(_ sealed: String, for purpose: String) throws -> String { throw Self.error }

  static let remedy = """
    Name the file that all who use this store have a copy of, by --key-file, AUTHGRAPH_KEY_FILE or the setting \
    keyFile.
    """

  private static let error = AuthError(
    .invalidArgument, "Secrets in PostgreSQL are sealed with a key, and none was named.",
    field: "keyFile", remedy: remedy)
}
