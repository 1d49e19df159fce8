import Foundation

/// The folder of a session's file, which nobody but its owner may enter where this makes it.
struct SessionFolder: Sendable {
  let path: String

  /// Makes what is missing of the path; leaves a folder that is there as it is.
  ///
  /// Not FileManager's: its attributes come after the folder, so that others could enter for a moment.
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

  /// Makes sure that a renaming outlives a power cut.
  func synchronize() {
    let descriptor = open(path.isEmpty ? "." : path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    // A file system that cannot do this for folders does not need it.
    fsync(descriptor)
    close(descriptor)
  }
}
