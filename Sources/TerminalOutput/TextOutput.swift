import Foundation

/// The one way to standard output and standard error.
///
/// On a terminal no text can steer it, hide or forge what it shows; in a file or a pipe text is what it is, byte by
/// byte. Each stream is looked at by itself and at each write.
package struct TextOutput: Sendable {
  package static let standard = TextOutput(fileDescriptor: STDOUT_FILENO)
  package static let standardError = TextOutput(fileDescriptor: STDERR_FILENO)

  private let fileDescriptor: Int32

  /// Writes to an open file.
  package init(fileDescriptor: Int32) {
    self.fileDescriptor = fileDescriptor
  }

  /// The terminal as it is now: windows are resized while a program runs.
  package var profile: TerminalProfile { .detect(fileDescriptor: fileDescriptor) }

  package var isTerminal: Bool { isatty(fileDescriptor) == 1 }

  /// Writes a text and a line end; lines and tabs of the text are its own.
  package func write(_ text: String, terminator: String = "\n") throws(OutputFailure) {
    try put((isTerminal ? VisibleText.freeText(text) : text) + terminator)
  }

  /// Writes a string of any bytes and a line end.
  package func write(bytes: [UInt8]) throws(OutputFailure) {
    guard isTerminal else { return try put(bytes + [UInt8(ascii: "\n")]) }
    try write(VisibleText.decoded(bytes))
  }

  /// Writes one line: line ends and other control characters in the text become escapes, also in a file.
  package func write(line: String) throws(OutputFailure) {
    // A log writes many lines: the rest of a profile takes longer to look up than this.
    try put((isTerminal ? VisibleText.neutralised(line) : VisibleText.oneLine(line)) + "\n")
  }

  /// Writes what was laid out for ``profile``, and a line end.
  package func write(_ painted: PaintedText) throws(OutputFailure) {
    try put(painted.text(for: profile) + "\n")
  }

  /// Writes JSON and a terminator.
  ///
  /// A terminal gets what it would obey or hide as escapes of JSON, so that it is the same value there.
  package func write(json: some Sequence<UInt8>, terminator: String = "\n") throws(OutputFailure) {
    var bytes = Array(json)
    if isTerminal { bytes = Array(VisibleText.json(String(decoding: bytes, as: UTF8.self)).utf8) }
    try put(bytes + Array(terminator.utf8))
  }

  /// Writes over the line where the cursor is: `\r` is obeyed, and nothing else.
  package func write(redrawing text: String) throws(OutputFailure) {
    try put(
      text.split(separator: "\r", omittingEmptySubsequences: false)
        .map { VisibleText.neutralised(String($0)) }.joined(separator: "\r"))
  }

  private func put(_ text: String) throws(OutputFailure) {
    var text = text
    let failure = text.withUTF8 { put(UnsafeRawBufferPointer($0)) }
    if let failure { throw failure }
  }

  private func put(_ bytes: [UInt8]) throws(OutputFailure) {
    if let failure = bytes.withUnsafeBytes(put) { throw failure }
  }

  /// Writes all of it; gives what stands in the way.
  private func put(_ bytes: UnsafeRawBufferPointer) -> OutputFailure? {
    var rest = bytes
    while !rest.isEmpty {
      let count = Foundation.write(fileDescriptor, rest.baseAddress, rest.count)
      if count > 0 {
        rest = UnsafeRawBufferPointer(rebasing: rest[count...])
        continue
      }
      switch errno {
      case EINTR: continue
      case EAGAIN:
        // A process that shares it made it not wait; half a line would run into the next one.
        var ready = pollfd(fd: fileDescriptor, events: Int16(POLLOUT), revents: 0)
        poll(&ready, 1, -1)
      case let code: return OutputFailure(code: code)
      }
    }
    return nil
  }
}

/// Says why nothing could be written.
package struct OutputFailure: Error, CustomStringConvertible {
  let code: Int32

  package var description: String { String(cString: strerror(code)) }
}
