public import AuthCore
import Foundation
import LuaPlugins
import LuaRuntime

/// Lines that arrive one after the other.
public protocol LineSource: AnyObject {
  /// Waits for the next line or an interrupt; returns `.some(nil)` at the end, nil after an interrupt.
  func next(unless isInterrupted: () -> Bool) throws(AuthError) -> String??
}

/// Standard input, line by line as it arrives, by the rules of `LuaSource`.
public final class InputLines: LineSource {
  private var reader: LuaLineReader
  private var isAtEnd = false

  /// Begins at the current position of standard input.
  ///
  /// - Parameter isScript: true if the lines are code, whose first line may name an interpreter (`#!`).
  public init(isScript: Bool = false) {
    reader = LuaLineReader(isScript: isScript)
  }

  /// Waits for the next line; returns nil at the end.
  ///
  /// Throws `invalid-argument` with the line and the byte if it is not UTF-8 text.
  public func next() throws(AuthError) -> String? {
    try next { false } ?? nil
  }

  /// Waits for the next line or an interrupt; returns `.some(nil)` at the end, nil after an interrupt.
  public func next(unless isInterrupted: () -> Bool) throws(AuthError) -> String?? {
    while true {
      do throws(LuaSourceError) {
        if let line = try reader.next() { return .some(line) }
        if isAtEnd { return .some(try reader.last()) }
      } catch {
        throw AuthError(error, in: "standard input", field: "stdin")
      }
      guard wait(unless: isInterrupted) else { return nil }
      try readMore()
    }
  }

  /// Returns a line that has arrived already; nil if none has.
  func arrived() throws(AuthError) -> String? {
    do throws(LuaSourceError) {
      return try reader.next()
    } catch {
      throw AuthError(error, in: "standard input", field: "stdin")
    }
  }

  private func readMore() throws(AuthError) {
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    var count = 0
    repeat {
      count = read(STDIN_FILENO, &buffer, buffer.count)
    } while count < 0 && errno == EINTR
    guard count >= 0 else {
      throw AuthError(
        .invalidArgument, "Standard input cannot be read: \(String(cString: strerror(errno))).",
        field: "stdin", remedy: "Pipe code into it, or give it with -e.")
    }
    isAtEnd = count == 0
    reader.append(buffer[..<count])
  }

  /// Waits for input; returns false after an interrupt, whose signal another thread may have received.
  private func wait(unless isInterrupted: () -> Bool) -> Bool {
    while !isInterrupted() {
      var input = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
      if poll(&input, 1, 200) != 0 && input.revents != 0 { return true }
    }
    return false
  }
}
