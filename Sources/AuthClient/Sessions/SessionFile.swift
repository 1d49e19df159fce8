import Foundation

/// The file of a session, read, replaced and removed without exposing it to other accounts of the system.
struct SessionFile: Sendable {
  let path: String

  /// The maximum size in bytes; a larger file is no session.
  private static let mostBytes = 1 << 20
  /// The age in seconds after which a draft counts as left by an ended process.
  private static let abandonedAfter: TimeInterval = 60

  /// Reads the content; nil if there is no file.
  func read() throws(SessionStorageError) -> Data? {
    // Without O_NONBLOCK, opening a FIFO would wait for a writer.
    let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else {
      switch errno {
      case ENOENT: return nil
      case ELOOP: throw isLink()
      default: throw failure("cannot be read", "Let the user that runs this read it.")
      }
    }
    defer { close(descriptor) }
    try checkAccess(descriptor)
    return try content(of: descriptor)
  }

  /// Writes a draft beside the file, then renames it.
  func replace(with data: Data) throws(SessionStorageError) {
    try SessionFolder(path: folder).make()
    removeDrafts { _, age in age > Self.abandonedAfter }
    // A removal in another process namespace may delete the draft. The next attempt comes after that removal.
    for attempt in 1...3 {
      let draft = "\(folder)/\(draftPrefix)\(getpid())-\(UUID())"
      do throws(SessionStorageError) {
        try write(data, to: draft)
        guard rename(draft, path) == 0 else {
          throw failure("cannot be replaced", "Choose a path where a file can be.")
        }
        SessionFolder(path: folder).synchronize()
        return
      } catch {
        unlink(draft)
        if error.status != ENOENT || attempt == 3 { throw error }
      }
    }
  }

  /// Removes the file, and drafts left by crashes, which hold tokens too.
  func remove() throws(SessionStorageError) {
    // A draft that is being written belongs to a save that comes after this removal.
    removeDrafts { writer, age in !Self.runs(writer) || age > Self.abandonedAfter }
    guard unlink(path) == 0 || errno == ENOENT || errno == ENOTDIR else {
      throw failure("cannot be removed", "Remove it by hand: rm \(quoted)")
    }
    SessionFolder(path: folder).synchronize()
  }

  private var folder: String { (path as NSString).deletingLastPathComponent }
  private var draftPrefix: String { ".\((path as NSString).lastPathComponent).draft-" }

  private func checkAccess(_ descriptor: Int32) throws(SessionStorageError) {
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw refusal("is not a regular file.", "Remove it, or name another path.")
    }
    guard status.st_uid == geteuid() else {
      throw refusal(
        "belongs to another user.", "Make this user its owner: chown \(geteuid()) \(quoted)")
    }
    guard status.st_mode & 0o077 == 0 else {
      throw refusal("is open to users other than its owner.", "chmod 600 \(quoted)")
    }
    guard status.st_size <= Self.mostBytes else {
      throw refusal("is too large to be a session.", "Remove it, or name another path.")
    }
  }

  private func content(of descriptor: Int32) throws(SessionStorageError) -> Data {
    var content = Data()
    var buffer = [UInt8](repeating: 0, count: 16_384)
    while content.count <= Self.mostBytes {
      let count = Foundation.read(descriptor, &buffer, buffer.count)
      if count < 0 && errno == EINTR { continue }
      guard count >= 0 else { throw failure("cannot be read", "Check the disk.") }
      if count == 0 { return content }
      content.append(contentsOf: buffer.prefix(count))
    }
    throw refusal("is too large to be a session.", "Remove it, or name another path.")
  }

  private func write(_ data: Data, to draft: String) throws(SessionStorageError) {
    let descriptor = open(draft, O_CREAT | O_EXCL | O_WRONLY | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw failure("cannot be made", "Choose a path below a folder that you may write to.")
    }
    defer { close(descriptor) }
    // A umask can also restrict the owner, and the next run could not read its own file.
    guard fchmod(descriptor, 0o600) == 0, writeAll(data, to: descriptor), fsync(descriptor) == 0
    else { throw failure("cannot be written", "Check the disk.") }
  }

  private func writeAll(_ data: Data, to descriptor: Int32) -> Bool {
    var rest = Array(data)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { return false }
      rest.removeFirst(count)
    }
    return true
  }

  /// Returns true if the process that wrote a draft still runs.
  private static func runs(_ writer: pid_t?) -> Bool {
    guard let writer, writer > 0 else { return false }
    return kill(writer, 0) == 0 || errno == EPERM
  }

  private func removeDrafts(where isAbandoned: (_ writer: pid_t?, TimeInterval) -> Bool) {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    for name in names where name.hasPrefix(draftPrefix) {
      let draft = "\(folder)/\(name)"
      let attributes = try? FileManager.default.attributesOfItem(atPath: draft)
      guard let written = attributes?[.modificationDate] as? Date else { continue }
      let writer = name.dropFirst(draftPrefix.count).prefix { $0 != "-" }
      if isAbandoned(pid_t(writer), -written.timeIntervalSinceNow) { unlink(draft) }
    }
  }

  private func isLink() -> SessionStorageError {
    refusal("is a symbolic link.", "Name the file itself, or remove the link: rm \(quoted)")
  }

  private func refusal(_ what: String, _ remedy: String) -> SessionStorageError {
    SessionStorageError(place: "The file \(path)", message: what, remedy: remedy)
  }

  private func failure(_ what: String, _ remedy: String) -> SessionStorageError {
    let status = errno
    return SessionStorageError(
      place: "The file \(path)", message: "\(what): \(String(cString: strerror(status))).",
      remedy: remedy, status: status)
  }

  private var quoted: String { ShellText(path).quoted }
}
