import AuthCore
import Foundation

/// The folder in which the console may write files; every other place is refused.
package struct FileAccess: Sendable {
  private let folder: String?

  /// No file may be written, as in a script.
  package static let none = FileAccess(folder: nil)

  /// Files may be written in a folder and those below it.
  package static func folder(_ path: String) -> FileAccess { FileAccess(folder: path) }

  /// Writes a file that only its owner can read, whole or not at all.
  ///
  /// Throws `invalid-argument` outside the folder, or if there is such a file and it may not be replaced. A link is
  /// never followed to a file elsewhere.
  package func write(_ bytes: [UInt8], to path: String, replacing: Bool) throws {
    let place = try place(of: path)
    guard replacing || !isThere(place) else {
      throw Self.refused(
        "There is a file \(path) already.",
        "Choose another name, or replace it with { replace = true }.")
    }
    let new = "\(place).\(UInt64.random(in: .min ... .max)).new"
    let descriptor = open(new, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else {
      throw Self.refused(
        "The file \(path) cannot be written: \(String(cString: strerror(errno))).",
        "Check the folder and its permissions.")
    }
    do {
      let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
      try file.write(contentsOf: Data(bytes))
      try file.synchronize()
      try file.close()
      // A new name is linked, so that a file that appeared meanwhile is kept.
      let isDone = replacing ? rename(new, place) == 0 : link(new, place) == 0
      guard isDone else {
        throw Self.refused(
          "The file \(path) cannot be written: \(String(cString: strerror(errno))).",
          "Choose another name.")
      }
    } catch {
      unlink(new)
      throw error
    }
    if !replacing { unlink(new) }
  }

  private func isThere(_ place: String) -> Bool {
    var status = stat()
    return lstat(place, &status) == 0
  }

  /// Returns the path of a file without links in its folder, if it lies in the folder that may be written.
  private func place(of path: String) throws(AuthError) -> String {
    guard let folder else {
      throw Self.refused(
        "A script may not write the file \(path).",
        "Allow its folder with --allow-write FOLDER before the script's name, or write it in the console."
      )
    }
    let url = URL(filePath: path, relativeTo: URL(filePath: folder, directoryHint: .isDirectory))
    let name = url.lastPathComponent
    guard !path.isEmpty, !path.utf8.contains(0), !path.hasSuffix("/"), ![".", ".."].contains(name)
    else { throw Self.refused("The file has no name.", "Name it, as in \"plans.csv\".") }
    guard let base = Self.resolved(folder),
      let parent = Self.resolved(url.deletingLastPathComponent().path)
    else {
      throw Self.refused("The folder of \(path) does not exist.", "Make it first.")
    }
    guard parent == base || parent.hasPrefix(base == "/" ? "/" : base + "/") else {
      throw Self.refused(
        "The file \(path) is not in the folder in which the console was started.",
        "Name a file in \(base), or start the console in that folder.")
    }
    return "\(parent == "/" ? "" : parent)/\(name)"
  }

  private static func resolved(_ path: String) -> String? {
    guard let real = realpath(path, nil) else { return nil }
    defer { free(real) }
    return String(cString: real)
  }

  private static func refused(_ message: String, _ remedy: String) -> AuthError {
    AuthError(.invalidArgument, message, field: "path", remedy: remedy)
  }
}
