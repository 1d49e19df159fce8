import Foundation

/// The folder of a session's file, created with access for its owner alone.
struct SessionFolder: Sendable {
  let path: String

  /// Creates the missing parts of the path.
  ///
  /// Existing folders stay as they are.
  ///
  /// FileManager sets attributes after creating a folder, so others could enter it for a moment.
  func make() throws(SessionStorageError) {
    guard !path.isEmpty, path != "/" else { return }
    if mkdir(path, 0o700) == 0 { return }
    if errno == ENOENT {
      try SessionFolder(path: (path as NSString).deletingLastPathComponent).make()
      if mkdir(path, 0o700) == 0 { return }
    }
    let status = errno
    var isFolder = stat()
    if status == EEXIST, stat(path, &isFolder) == 0, isFolder.st_mode & S_IFMT == S_IFDIR { return }
    throw SessionStorageError(
      place: "The folder \(path)",
      message: "cannot be made: \(String(cString: strerror(status))).",
      remedy: "Choose a path below a folder that you may write to.", status: status)
  }

  /// Flushes the folder, so that a renaming survives a power cut.
  func synchronize() {
    let descriptor = open(path.isEmpty ? "." : path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    // A file system that cannot flush folders does not need it.
    fsync(descriptor)
    close(descriptor)
  }
}
