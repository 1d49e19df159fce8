import AuthCore
import BuiltInProviders
import Foundation
import PostgresStore
import SQLiteStore

extension StoreLocation {
  /// Opens the store, which is made where there is none, unless it has to exist.
  ///
  /// A database is never made: it has to be there, and gets tables where it has none. Lookups in it may be answered
  /// by its replicas.
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

  /// What keeps the secrets of the store, with the key in a file where one was named.
  func sealing(keyFile: String?) -> any SecretSealing {
    if let keyFile { return KeyFileSealing(path: keyFile) }
    return switch self {
    case .memory: EphemeralSealing()
    case .sqlite(let path): KeyFileSealing(path: "\(path).key")
    case .postgres: UnnamedKey()
    }
  }
}

/// Stands for a key that nobody has named; whatever needs it fails, and nothing else.
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
