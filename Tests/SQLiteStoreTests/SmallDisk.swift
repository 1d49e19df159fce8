import Foundation

/// A disk in memory with room for very little.
struct SmallDisk {
  let path: String

  static let isPossible: Bool = {
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "SQLiteStoreTests-\(UUID().uuidString)").path
    defer { try? FileManager.default.removeItem(atPath: folder) }
    guard let disk = try? SmallDisk(at: folder) else { return false }
    disk.unmount()
    return true
  }()

  init(at path: String) throws {
    self.path = path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    let output = try run("mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", path)
    guard output.isEmpty else { throw NotMounted(output: output) }
  }

  private struct NotMounted: Error {
    let output: String
  }

  /// Lets nobody write any more.
  func makeReadOnly() throws {
    let output = try run("mount", "-o", "remount,ro", path)
    guard output.isEmpty else { throw NotMounted(output: output) }
  }

  func unmount() {
    _ = try? run("umount", path)
  }
}
