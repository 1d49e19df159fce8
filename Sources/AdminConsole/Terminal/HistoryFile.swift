import AuthCore
import Foundation

/// Keeps the inputs of a person from one session to the next.
///
/// The file has one entry a line, with newlines written as `\n` and backslashes as `\\`. Only its owner can read it.
/// Entries are appended at once, so that concurrent sessions preserve each other's entries. Beyond ``limit`` the
/// oldest entries are removed.
struct HistoryFile {
  /// The reason why a file cannot be used.
  struct Problem: Error, CustomStringConvertible {
    let description: String
  }

  /// The maximum number of entries.
  static let limit = 5_000
  /// The maximum size in bytes; a larger file is not a history and is not read.
  private static let mostBytes = 32 << 20

  private let path: String
  private var count = 0

  init(path: String) {
    self.path = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
  }

  /// Reads the entries, oldest first.
  ///
  /// A file with unreadable lines is renamed to `PATH.damaged`, and the readable entries continue in a new file. The
  /// warning says so. A file that does not exist is an empty history.
  mutating func load() throws(Problem) -> (entries: [String], warning: String?) {
    guard let data = try contents() else { return ([], nil) }
    let (read, damaged) = Self.decode(data)
    let entries = Array(read.suffix(Self.limit))
    count = read.count
    guard damaged > 0 else { return (entries, nil) }
    guard rename(path, path + ".damaged") == 0 else { throw problem("set aside") }
    try replace(with: entries)
    let warning = "\(path): \(damaged) unreadable line(s); the old file is \(path).damaged"
    return (entries, warning)
  }

  /// Adds an entry at the end.
  mutating func append(_ entry: String) throws(Problem) {
    let folder = (path as NSString).deletingLastPathComponent
    try? FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    // Without O_NONBLOCK opening a FIFO would wait for a reader.
    let file = open(path, O_RDWR | O_APPEND | O_CREAT | O_NONBLOCK | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw problem("open") }
    defer { close(file) }
    guard isRegular(file), fchmod(file, 0o600) == 0 else { throw problem("protect") }
    // An earlier session may have ended in the middle of a line.
    let text = (endsInsideLine(file) ? "\n" : "") + Self.encode(entry) + "\n"
    try write(text, to: file)
    count += 1
    if count > Self.limit { try compact() }
  }

  private mutating func compact() throws(Problem) {
    guard let data = try contents() else { return }
    try replace(with: Array(Self.decode(data).entries.suffix(Self.limit)))
  }

  // A crash in between leaves either the old file or the new one, never half of it.
  private mutating func replace(with entries: [String]) throws(Problem) {
    var template = Array((path + ".XXXXXX").utf8CString)
    let file = mkstemp(&template)
    guard file >= 0 else { throw problem("rewrite") }
    defer { close(file) }
    do throws(Problem) {
      try write(entries.map { Self.encode($0) + "\n" }.joined(), to: file)
      guard fchmod(file, 0o600) == 0, rename(template, path) == 0 else { throw problem("rewrite") }
    } catch {
      unlink(template)
      throw error
    }
    count = entries.count
  }

  private func contents() throws(Problem) -> Data? {
    let file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard file >= 0 else {
      if errno == ENOENT { return nil }
      throw problem("read")
    }
    defer { close(file) }
    guard isRegular(file) else { throw Problem(description: "\(path): not a regular file") }
    let handle = FileHandle(fileDescriptor: file, closeOnDealloc: false)
    guard let data = try? handle.read(upToCount: Self.mostBytes + 1) ?? Data() else {
      throw problem("read")
    }
    guard data.count <= Self.mostBytes else {
      throw Problem(description: "\(path): larger than a history can be")
    }
    return data
  }

  private func isRegular(_ file: Int32) -> Bool {
    var status = stat()
    return fstat(file, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  private func endsInsideLine(_ file: Int32) -> Bool {
    var last: UInt8 = 0
    let end = lseek(file, 0, SEEK_END)
    return end > 0 && pread(file, &last, 1, end - 1) == 1 && last != UInt8(ascii: "\n")
  }

  private func write(_ text: String, to file: Int32) throws(Problem) {
    let handle = FileHandle(fileDescriptor: file, closeOnDealloc: false)
    guard (try? handle.write(contentsOf: Data(text.utf8))) != nil else { throw problem("write") }
  }

  private func problem(_ verb: String) -> Problem {
    Problem(description: "\(path): cannot \(verb): \(String(cString: strerror(errno)))")
  }
}

extension HistoryFile {
  fileprivate static func encode(_ entry: String) -> String {
    entry.replacing(bytes: ["\\": "\\\\", "\n": "\\n"])
  }

  fileprivate static func decode(_ data: Data) -> (entries: [String], damaged: Int) {
    var entries: [String] = []
    var damaged = 0
    for line in data.split(separator: UInt8(ascii: "\n")) {
      if let text = String(validating: line, as: UTF8.self), !text.utf8.contains(0) {
        entries.append(unescaped(text))
      } else {
        damaged += 1
      }
    }
    return (entries, damaged)
  }

  private static func unescaped(_ text: String) -> String {
    guard text.utf8.contains(UInt8(ascii: "\\")) else { return text }
    var result = String.UnicodeScalarView()
    var follows = false
    for scalar in text.unicodeScalars {
      if follows {
        follows = false
        result.append(scalar == "n" ? "\n" : scalar)
      } else if scalar == "\\" {
        follows = true
      } else {
        result.append(scalar)
      }
    }
    return String(result)
  }
}
