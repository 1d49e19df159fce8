package import AuthCore
import Foundation
package import LuaRuntime

/// The machine of the admin as a session uses it: its keyboard and its files.
///
/// A session of a server has a host that asks the client, so a path never means a file of the server.
package protocol ConsoleHost: Sendable {
  /// Reads a file up to a limit; the result is one byte longer if the file is.
  func contents(of path: String, atMost limit: Int) throws(InputFile.Unreadable) -> [UInt8]

  /// Makes a file that only its owner can read.
  ///
  /// Throws `invalid-argument` if there is one already, or if it cannot be written.
  func create(_ path: String, _ bytes: [UInt8]) throws(AuthError)

  /// Writes a file below the folders that the admin allows; throws `operation-not-allowed` outside of them, and
  /// `invalid-argument` if the file exists and is not to be overwritten.
  func write(_ bytes: [UInt8], to path: String, overwrite: Bool) throws(AuthError)

  /// Asks for a secret; throws `CancellationError` after an interrupt.
  func secret(_ question: String, unless isInterrupted: () -> Bool) throws -> Secret<String>

  /// Asks for a line that is shown while it is typed; throws `CancellationError` after an interrupt.
  func answer(_ question: String, unless isInterrupted: () -> Bool) throws -> String

  /// Runs a body that Ctrl-C of this machine's keyboard interrupts, if the keyboard is the admin's.
  func interruptible<Value>(_ interrupt: LuaInterrupt, _ body: () -> Value) -> Value
}

extension ConsoleHost {
  /// Reads a file with a list of the admin's, of at most 256 MiB, without a byte-order mark.
  ///
  /// Throws `invalid-argument` with the field; `subject` names the file in the message.
  func list(in path: String, named subject: String, field: String) throws(AuthError) -> [UInt8] {
    let mostBytes = 256 << 20
    var bytes: [UInt8]
    do throws(InputFile.Unreadable) {
      bytes = try contents(of: path, atMost: mostBytes)
    } catch {
      throw AuthError(
        .invalidArgument, "The \(subject) cannot be read: \(error.reason).", field: field,
        remedy: "Check its path and permissions.", cause: error)
    }
    guard bytes.count <= mostBytes else {
      throw AuthError(
        .invalidArgument, "The \(subject) is larger than 256 MiB.", field: field,
        remedy: "Split it.")
    }
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes.removeFirst(3) }
    return bytes
  }
}

/// The machine on which this process runs.
package struct LocalHost: ConsoleHost {
  private let folders: WritableFolders

  /// Makes a host that may write files below some folders.
  package init(writing folders: WritableFolders = .none) {
    self.folders = folders
  }

  package func contents(
    of path: String, atMost limit: Int
  ) throws(InputFile.Unreadable) -> [UInt8] {
    try InputFile.bytes(of: path, atMost: limit)
  }

  package func create(_ path: String, _ bytes: [UInt8]) throws(AuthError) {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      let isThere = errno == EEXIST
      throw AuthError(
        .invalidArgument,
        isThere ? "There is a file \(path) already." : "The file \(path) cannot be written.",
        field: "path",
        remedy: isThere ? "Choose another name." : "Check the folder and its permissions.")
    }
    let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    do {
      try file.write(contentsOf: Data(bytes))
      try file.close()
    } catch {
      throw AuthError(
        .invalidArgument, "The file \(path) cannot be written.", field: "path",
        remedy: "Make room on the disk, or write to another place.", cause: error)
    }
  }

  package func write(_ bytes: [UInt8], to path: String, overwrite: Bool) throws(AuthError) {
    try folders.write(bytes, to: path, overwrite: overwrite)
  }

  package func secret(
    _ question: String, unless isInterrupted: () -> Bool
  ) throws -> Secret<String> {
    try withoutActuallyEscaping(isInterrupted) {
      try TerminalPrompt(isInterrupted: $0).secret(question)
    }
  }

  package func answer(_ question: String, unless isInterrupted: () -> Bool) throws -> String {
    try withoutActuallyEscaping(isInterrupted) {
      try TerminalPrompt(isInterrupted: $0).answer(question)
    }
  }

  package func interruptible<Value>(_ interrupt: LuaInterrupt, _ body: () -> Value) -> Value {
    let stop = Unmanaged.passRetained(InterruptBox(interrupt))
    defer { stop.release() }
    return InterruptSource.routing(to: interruptHandler, context: stop.toOpaque(), during: body)
  }
}

/// Carries the interrupt through a signal handler's context pointer.
private final class InterruptBox {
  let interrupt: LuaInterrupt

  init(_ interrupt: LuaInterrupt) {
    self.interrupt = interrupt
  }
}

private let interruptHandler: InterruptSource.Handler = { context in
  guard let context else { return }
  Unmanaged<InterruptBox>.fromOpaque(context)._withUnsafeGuaranteedRef { $0.interrupt.interrupt() }
}
