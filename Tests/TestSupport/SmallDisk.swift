import Foundation

/// A disk in memory with very little room; mounting one needs root.
public struct SmallDisk: Sendable {
  /// The path at which the disk is mounted.
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

  /// Mounts a disk at a path, in a folder that is made if it does not exist.
  public init(at path: String, size: String) throws {
    self.path = path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    try Self.run("mount", "-t", "tmpfs", "-o", "size=\(size)", "tmpfs", path)
  }

  /// Makes the disk read-only.
  public func makeReadOnly() throws { try Self.run("mount", "-o", "remount,ro", path) }

  /// Unmounts the disk, even if a process has open files on it.
  public func unmount() { try? Self.run("umount", "-l", path) }

  private static func run(_ words: String...) throws {
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = words
    process.standardOutput = output
    process.standardError = output
    try process.run()
    let said = String(
      decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw Failed(description: "\(words.joined(separator: " ")): \(said)")
    }
  }
}
