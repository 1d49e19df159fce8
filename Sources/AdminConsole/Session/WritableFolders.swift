package import AuthCore
import Foundation

/// The folders below which this console may write files, and the way it does.
///
/// A file is complete or absent, only its owner can read it, and no link leads out of a folder.
public struct WritableFolders: Sendable {
  private let roots: [String]

  /// Allows folders; those that do not exist allow nothing.
  public init(_ paths: [String]) {
    roots = paths.compactMap(Self.resolved)
  }

  /// Allows no folder.
  public static let none = WritableFolders([])

  /// Writes a file; throws `operation-not-allowed` outside of the folders, `invalid-argument` if the file exists and is
  /// not to be overwritten.
  ///
  /// A relative path begins at the working directory.
  package func write(_ bytes: [UInt8], to path: String, overwrite: Bool) throws(AuthError) {
    let slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
    let name = slash.map { String(path[path.utf8.index(after: $0)...]) } ?? path
    let folder = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    guard !["", ".", ".."].contains(name), !path.utf8.contains(0) else {
      throw Self.refused("\"\(path)\" is not the name of a file.", "Name a file.")
    }
    guard let place = Self.resolved(folder) else {
      throw Self.refused("There is no folder \(folder).", "Make it first, or name another.")
    }
    guard roots.contains(where: { place == $0 || place.hasPrefix($0 == "/" ? "/" : "\($0)/") })
    else { throw refusal(of: "\(place)/\(name)") }
    // From here on the folder is one that was opened, whatever becomes of its name.
    let directory = open(place, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard directory >= 0 else { throw Self.failure(path) }
    defer { close(directory) }
    try Self.put(bytes, as: name, in: directory, path, overwrite: overwrite)
  }

  private static func put(
    _ bytes: [UInt8], as name: String, in directory: Int32, _ path: String, overwrite: Bool
  ) throws(AuthError) {
    var status = stat()
    if fstatat(directory, name, &status, AT_SYMLINK_NOFOLLOW) == 0 {
      guard status.st_mode & S_IFMT == S_IFREG else {
        throw refused("\(path) is a link, a folder or a device.", "Choose another name.")
      }
      guard overwrite else { throw exists(path) }
    }
    let draft = ".authgraph-\(UInt64.random(in: .min ... .max))"
    let file = openat(
      directory, draft, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw failure(path) }
    let isWritten = writeAll(bytes, to: file) && fsync(file) == 0
    let code = errno
    close(file)
    // A link fails if the name is taken meanwhile; a renamed file takes its place.
    let isPlaced =
      isWritten
      && (overwrite
        ? renameat(directory, draft, directory, name) == 0
        : linkat(directory, draft, directory, name, 0) == 0)
    let placing = isWritten ? errno : code
    if !isPlaced || !overwrite { unlinkat(directory, draft, 0) }
    guard isPlaced else {
      throw placing == EEXIST ? exists(path) : failure(path, placing)
    }
  }

  private static func writeAll(_ bytes: [UInt8], to file: Int32) -> Bool {
    bytes.withUnsafeBytes { bytes in
      var rest = bytes
      while !rest.isEmpty {
        let count = Foundation.write(file, rest.baseAddress, rest.count)
        if count < 0 && errno == EINTR { continue }
        guard count > 0 else { return false }
        rest = UnsafeRawBufferPointer(rebasing: rest[count...])
      }
      return true
    }
  }

  /// The folder's real path, without links; nil if there is no such folder.
  private static func resolved(_ path: String) -> String? {
    guard let real = realpath(path, nil) else { return nil }
    defer { free(real) }
    var status = stat()
    guard stat(real, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else { return nil }
    return String(cString: real)
  }

  private func refusal(of path: String) -> AuthError {
    guard let first = roots.first else {
      return AuthError(
        .operationNotAllowed, "A script may write no file.", field: "path",
        remedy:
          "Allow a folder: authgraph run --allow-write DIR FILE. To print and redirect needs no permission."
      )
    }
    let folders = roots.count == 1 ? first : roots.joined(separator: " and ")
    return AuthError(
      .operationNotAllowed, "\(path) is outside of \(folders).", field: "path",
      remedy: "Write below \(first), or start with --allow-write DIR.")
  }

  private static func refused(_ message: String, _ remedy: String) -> AuthError {
    AuthError(.invalidArgument, message, field: "path", remedy: remedy)
  }

  private static func exists(_ path: String) -> AuthError {
    refused(
      "There is a file \(path) already.", "Choose another name, or pass { overwrite = true }.")
  }

  private static func failure(_ path: String, _ code: Int32 = errno) -> AuthError {
    refused(
      "The file \(path) cannot be written: \(String(cString: strerror(code))).",
      "Check the folder and its permissions.")
  }
}
