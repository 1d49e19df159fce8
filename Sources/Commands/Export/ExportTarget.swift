import AuthCore
import Foundation
import TerminalOutput

/// Standard output, or a file that appears under its name only when it is complete.
final class ExportTarget: Sendable {
  /// The file; nil for standard output.
  private let handle: FileHandle?
  private let path: String?
  private let temporary: String?

  init(file: String?, replacing: Bool) throws(AuthError) {
    path = file
    guard let file else {
      temporary = nil
      handle = nil
      return
    }
    try Self.check(file, replacing: replacing)
    // Created exclusively and empty, so that no other user can ever read the hashes.
    let temporary = "\(file).\(UUID().uuidString.prefix(8)).part"
    let descriptor = open(temporary, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw AuthError(
        .invalidArgument, "The file \(file) cannot be written.", field: "file",
        remedy: "Check the folder and its permissions.")
    }
    self.temporary = temporary
    handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
  }

  /// Checks that the name is new, or with `replacing` a plain file; never a folder, a device or a pipe.
  private static func check(_ file: String, replacing: Bool) throws(AuthError) {
    guard !file.isEmpty else {
      throw AuthError(
        .invalidArgument, "The export has no name.", field: "file", remedy: "Name a file.")
    }
    // The attributes of the name itself, not of a link's target.
    guard let attributes = try? FileManager.default.attributesOfItem(atPath: file) else { return }
    guard attributes[.type] as? FileAttributeType == .typeRegular else {
      throw AuthError(
        .invalidArgument, "\(file) is not a plain file.", field: "file",
        remedy: "Name a file, or leave the name out to write to standard output.")
    }
    guard replacing else {
      throw AuthError(
        .invalidArgument, "The file \(file) exists.", field: "file",
        remedy: "Choose another name, or add --force to replace it.")
    }
  }

  func write(_ data: Data) throws {
    do {
      if let handle {
        try handle.write(contentsOf: data)
      } else {
        // Each part ends with a whole record, and so with a whole character.
        try TextOutput.standard.write(json: data, terminator: "")
      }
    } catch {
      throw AuthError(
        .invalidArgument, "The export cannot be written.", field: "file",
        remedy: "Make room on the disk, or choose another place.", cause: error)
    }
  }

  func finish() throws {
    guard let path, let temporary, let handle else { return }
    try handle.synchronize()
    try handle.close()
    guard rename(temporary, path) == 0 else {
      throw AuthError(
        .invalidArgument, "The file \(path) cannot be put in place.", field: "file",
        remedy: "Check the folder; the export is in \(temporary).")
    }
  }

  func abandon() {
    guard let temporary else { return }
    try? handle?.close()
    try? FileManager.default.removeItem(atPath: temporary)
  }
}
