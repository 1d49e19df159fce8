import Foundation

/// Runs a closure with a new folder and removes it afterwards.
@discardableResult
func withTemporaryFolder<Result>(
  _ body: (String) async throws -> Result
) async throws -> Result {
  let folder = FileManager.default.temporaryDirectory
    .appending(path: "SQLiteStoreTests-\(UUID().uuidString)").path
  try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(atPath: folder) }
  return try await body(folder)
}
