import AuthCore
import Foundation

/// A file with one key: a header line, and a line with the key in base64.
struct KeyFile: Sendable {
  let path: String

  private static let header = "authgraph-key-1"
  /// The largest size of a key file in bytes.
  private static let mostBytes = 1024

  /// Reads the key; nil if there is no file.
  func read() throws(AuthError) -> SealingKey? {
    // Without O_NONBLOCK, opening a FIFO would wait for a writer.
    let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else {
      if errno == ENOENT { return nil }
      throw unusable(
        "cannot be read: \(reason()).", "Allow AuthGraph's user to read it.")
    }
    defer { close(descriptor) }
    try checkAccess(descriptor)
    return try key(in: try content(of: descriptor))
  }

  /// Makes the file with a new key, or reads the key that another process made first.
  func make() throws(AuthError) -> SealingKey {
    let folder = URL(filePath: path).deletingLastPathComponent().path
    try makeFolder(folder)
    let key = SealingKey()
    try publish("\(Self.header)\n\(Data(key.bytes).base64EncodedString())\n", in: folder)
    guard let stored = try read() else {
      throw unusable(
        "is a link to a file that is not there.", "Remove the link, or make its target.")
    }
    return stored
  }

  var missing: AuthError {
    unusable(
      "is not there, and sealed data cannot be opened without it.",
      "Name the store's key file by --key-file, AUTHGRAPH_KEY_FILE or the setting keyFile, or restore it from a backup."
    )
  }

  private func checkAccess(_ descriptor: Int32) throws(AuthError) {
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw unusable("is not a regular file.", "Name a regular file, or a new path.")
    }
    guard status.st_uid == geteuid() else {
      throw unusable(
        "belongs to another user.", "Make AuthGraph's user its owner: chown \(geteuid()) \(quoted)")
    }
    guard status.st_mode & 0o077 == 0 else {
      throw unusable("is open to users other than its owner.", "chmod 600 \(quoted)")
    }
  }

  private func content(of descriptor: Int32) throws(AuthError) -> String {
    var buffer = [UInt8](repeating: 0, count: Self.mostBytes + 1)
    var filled = 0
    while filled < buffer.count {
      let (start, room) = (filled, buffer.count - filled)
      let count = buffer.withUnsafeMutableBytes { bytes in
        Foundation.read(descriptor, bytes.baseAddress?.advanced(by: start), room)
      }
      if count < 0 && errno == EINTR { continue }
      guard count >= 0 else { throw unusable("cannot be read: \(reason()).", "Check the disk.") }
      if count == 0 { break }
      filled += count
    }
    return String(decoding: buffer.prefix(filled), as: UTF8.self)
  }

  private func key(in text: String) throws(AuthError) -> SealingKey {
    let lines = text.split(whereSeparator: \.isNewline)
    guard text.utf8.count <= Self.mostBytes, lines.count == 2, lines[0] == Self.header,
      let data = Data(base64Encoded: String(lines[1])), let key = SealingKey(bytes: Array(data))
    else {
      throw unusable(
        text.isEmpty ? "is empty." : "is not a key file.",
        "Restore it from a backup. If nothing was sealed yet, remove it, and a new one is made.")
    }
    return key
  }

  private func makeFolder(_ folder: String) throws(AuthError) {
    do {
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch {
      throw unusable(
        "cannot be made, because its folder cannot be made.",
        "Choose a path below a folder that you may write to.")
    }
  }

  /// Writes the whole file under another name, and links it to the path unless a file is there.
  ///
  /// No process can see half a key, and the first of several processes wins.
  private func publish(_ text: String, in folder: String) throws(AuthError) {
    let refusal = "Choose a path below a folder that you may write to."
    let draft = "\(folder)/.authgraph-key-\(UUID())"
    let descriptor = open(draft, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw unusable("cannot be made: \(reason()).", refusal) }
    defer {
      close(descriptor)
      unlink(draft)
    }
    let bytes = Array(text.utf8)
    guard write(descriptor, bytes, bytes.count) == bytes.count, fsync(descriptor) == 0 else {
      throw unusable("cannot be written: \(reason()).", "Check the disk.")
    }
    guard link(draft, path) == 0 || errno == EEXIST else {
      throw unusable("cannot be made: \(reason()).", refusal)
    }
    let directory = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard directory >= 0 else { return }
    // A file system that does not support this for folders does not need it.
    fsync(directory)
    close(directory)
  }

  private func reason() -> String { String(cString: strerror(errno)) }

  private func unusable(_ what: String, _ remedy: String) -> AuthError {
    AuthError(.storeUnavailable, "The key file \(path) \(what)", field: "keyFile", remedy: remedy)
  }

  /// The path, quoted for a shell if necessary.
  private var quoted: String {
    let isPlain = path.utf8.allSatisfy { byte in
      Character(Unicode.Scalar(byte)).isLetter || Character(Unicode.Scalar(byte)).isNumber
        || "/._-+@".utf8.contains(byte)
    }
    return isPlain ? path : "'\(path.replacing(bytes: ["'": "'\\''"]))'"
  }
}
