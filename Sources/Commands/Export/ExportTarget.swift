import AuthCore
import Foundation

/// A file that appears under its name only when it is whole; or standard output.
final class ExportTarget: Sendable {
  private let handle: FileHandle
  private let path: String?
  private let temporary: String?

  init(file: String?, replacing: Bool) throws(AuthError) {
    path = file
    guard let file else {
      temporary = nil
      handle = .standardOutput
      return
    }
    guard replacing || !FileManager.default.fileExists(atPath: file) else {
      throw AuthError(
        .invalidArgument, "The file \(file) exists.", field: "file",
        remedy: "Choose another name, or add --force to replace it.")
    }
    let temporary = file + ".part"
    // Created before anything is in it, so that nobody else can ever read the hashes.
    let made = FileManager.default.createFile(
      atPath: temporary, contents: nil, attributes: [.posixPermissions: 0o600])
    guard made, let handle = FileHandle(forWritingAtPath: temporary) else {
      throw AuthError(
        .invalidArgument, "The file \(file) cannot be written.", field: "file",
        remedy: "Check the folder and its permissions.")
    }
    self.temporary = temporary
    self.handle = handle
  }

  func write(_ data: Data) throws {
    do {
      try handle.write(contentsOf: data)
    } catch {
      throw AuthError(
        .invalidArgument, "The export cannot be written: \(error.localizedDescription)",
        field: "file", remedy: "Make room on the disk, or choose another place.")
    }
  }

  func finish() throws {
    guard let path, let temporary else { return }
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
    try? handle.close()
    try? FileManager.default.removeItem(atPath: temporary)
  }
}
