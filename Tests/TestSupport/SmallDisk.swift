import Foundation

/// A disk in memory with room for very little; only root can have one.
public struct SmallDisk: Sendable {
  public let path: String

  /// True if such a disk can be mounted.
  public static let isPossible: Bool = {
    guard let folder = try? TemporaryFolder() else { return false }
    return withExtendedLifetime(folder) {
      guard let disk = try? SmallDisk(at: folder.path, size: "1m") else { return false }
      disk.unmount()
      return true
    }
  }()

  /// Mounts one at a path, in a folder that is made if it is not there.
  public init(at path: String, size: String) throws {
    self.path = path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    try runProgram("mount", ["-t", "tmpfs", "-o", "size=\(size)", "tmpfs", path])
  }

  /// Makes the disk read-only.
  public func makeReadOnly() throws { try runProgram("mount", ["-o", "remount,ro", path]) }

  /// Unmounts the disk, even if a process has open files on it.
  public func unmount() { _ = try? runProgram("umount", ["-l", path]) }
}
