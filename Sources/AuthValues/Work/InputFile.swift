import Foundation

/// Reads an input that a command line names: a file, a pipe such as `<(…)`, a device, or `-` for standard input.
package enum InputFile {
  /// The path that means standard input.
  package static let standardInput = "-"

  /// The reason why a file cannot be read.
  package struct Unreadable: Error {
    /// The reason in the system's words.
    package let reason: String
    /// Set if there is no such file.
    package let isMissing: Bool

    package init(reason: String, isMissing: Bool = false) {
      (self.reason, self.isMissing) = (reason, isMissing)
    }
  }

  /// Returns the bytes up to the end; one more than the limit if the input is longer.
  package static func bytes(of path: String, atMost limit: Int) throws(Unreadable) -> [UInt8] {
    let isStandardInput = path == standardInput
    let descriptor = isStandardInput ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw unreadable() }
    defer { if !isStandardInput { close(descriptor) } }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while bytes.count <= limit {
      let count = read(descriptor, &buffer, min(buffer.count, limit + 1 - bytes.count))
      if count < 0 && errno == EINTR { continue }
      guard count >= 0 else { throw unreadable() }
      guard count > 0 else { break }
      bytes += buffer[..<count]
    }
    return bytes
  }

  private static func unreadable() -> Unreadable {
    let code = errno
    return Unreadable(reason: String(cString: strerror(code)), isMissing: code == ENOENT)
  }
}
