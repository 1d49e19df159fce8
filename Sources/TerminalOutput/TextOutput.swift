import Foundation

/// The only way to standard output and standard error.
///
/// On a terminal, no text can move the cursor, hide or forge output. A file or pipe gets the exact bytes. The
/// destination is inspected for each stream and at each write.
package struct TextOutput: Sendable {
  package static let standard = TextOutput(fileDescriptor: STDOUT_FILENO)
  package static let standardError = TextOutput(fileDescriptor: STDERR_FILENO)

  private let fileDescriptor: Int32
  /// The destination in place of a file.
  private let receiver: (any OutputReceiving)?

  /// Makes an output to an open file.
  package init(fileDescriptor: Int32) {
    self.fileDescriptor = fileDescriptor
    receiver = nil
  }

  /// Makes an output to a destination elsewhere, which lays everything out itself.
  package init(to receiver: any OutputReceiving) {
    fileDescriptor = -1
    self.receiver = receiver
  }

  /// The profile of the terminal at this moment.
  package var profile: TerminalProfile {
    receiver?.profile ?? .detect(fileDescriptor: fileDescriptor)
  }

  package var isTerminal: Bool {
    receiver.map(\.profile.isTerminal) ?? (isatty(fileDescriptor) == 1)
  }

  /// True for a terminal that this process writes to itself.
  package var isTerminalOfProcess: Bool { receiver == nil && isTerminal }

  /// Writes a piece that was written elsewhere.
  package func write(
    _ piece: OutputPiece, unless isStopped: (() -> Bool)? = nil
  ) throws(OutputFailure) {
    let end = piece.endsLine ? "\n" : ""
    switch piece.content {
    case .text(let text): try write(text, terminator: end, unless: isStopped)
    case .bytes(let bytes): try write(bytes: bytes, terminator: end, unless: isStopped)
    case .line(let text): try write(line: text)
    case .painted(let text): try write(text, terminator: end, unless: isStopped)
    case .json(let json): try write(json: json, terminator: end, unless: isStopped)
    case .redrawing(let text): try write(redrawing: text)
    }
  }

  /// Writes a text, with its own lines and tabs, and a line end.
  ///
  /// `isStopped` is asked between the parts of a long text; what follows is then left out.
  package func write(
    _ text: String, terminator: String = "\n", unless isStopped: (() -> Bool)? = nil
  ) throws(OutputFailure) {
    if let receiver { return receiver.receive(OutputPiece(.text(text), ending: terminator)) }
    try put((isTerminal ? VisibleText.freeText(text) : text) + terminator, unless: isStopped)
  }

  /// Writes a string of arbitrary bytes and a line end.
  package func write(
    bytes: [UInt8], terminator: String = "\n", unless isStopped: (() -> Bool)? = nil
  ) throws(OutputFailure) {
    if let receiver { return receiver.receive(OutputPiece(.bytes(bytes), ending: terminator)) }
    guard isTerminal else { return try put(bytes + Array(terminator.utf8), unless: isStopped) }
    try write(VisibleText.decoded(bytes), terminator: terminator, unless: isStopped)
  }

  /// Writes one line: line ends and other control characters in the text become escapes, also in a file.
  package func write(line: String) throws(OutputFailure) {
    if let receiver { return receiver.receive(OutputPiece(.line(line))) }
    // Logs write many lines, and looking up the whole profile costs more than the write.
    try put((isTerminal ? VisibleText.neutralised(line) : VisibleText.oneLine(line)) + "\n")
  }

  /// Writes text that was laid out for ``profile``, and a line end.
  package func write(
    _ painted: PaintedText, terminator: String = "\n", unless isStopped: (() -> Bool)? = nil
  ) throws(OutputFailure) {
    if let receiver { return receiver.receive(OutputPiece(.painted(painted), ending: terminator)) }
    try put(painted.text(for: profile) + terminator, unless: isStopped)
  }

  /// Writes JSON and a terminator.
  ///
  /// On a terminal, characters that it would obey or hide become JSON escapes, so the value stays the same.
  package func write(
    json: some Sequence<UInt8>, terminator: String = "\n",
    unless isStopped: (() -> Bool)? = nil
  ) throws(OutputFailure) {
    var bytes = Array(json)
    if let receiver { return receiver.receive(OutputPiece(.json(bytes), ending: terminator)) }
    if isTerminal { bytes = Array(VisibleText.json(String(decoding: bytes, as: UTF8.self)).utf8) }
    try put(bytes + Array(terminator.utf8), unless: isStopped)
  }

  /// Redraws the current line: `\r` works, other control characters become escapes.
  package func write(redrawing text: String) throws(OutputFailure) {
    if let receiver { return receiver.receive(OutputPiece(.redrawing(text), endsLine: false)) }
    try put(
      text.split(separator: "\r", omittingEmptySubsequences: false)
        .map { VisibleText.neutralised(String($0)) }.joined(separator: "\r"))
  }

  private func put(
    _ text: String, unless isStopped: (() -> Bool)? = nil
  ) throws(OutputFailure) {
    var text = text
    let failure = text.withUTF8 { put(UnsafeRawBufferPointer($0), isStopped) }
    if let failure { throw failure }
  }

  private func put(_ bytes: [UInt8], unless isStopped: (() -> Bool)?) throws(OutputFailure) {
    if let failure = bytes.withUnsafeBytes({ put($0, isStopped) }) { throw failure }
  }

  /// The number of bytes that a pipe takes at once if it takes any, PIPE_BUF on all systems.
  private static let part = 4096

  /// Writes all bytes, up to the moment when `isStopped` says so; returns the failure, if any.
  private func put(
    _ bytes: UnsafeRawBufferPointer, _ isStopped: (() -> Bool)?
  ) -> OutputFailure? {
    var rest = bytes
    while !rest.isEmpty {
      // Without the wait a write to a reader that does not read could not be stopped.
      if let isStopped, !isReady(within: 100) {
        if isStopped() { return nil }
        continue
      }
      let count = Foundation.write(
        fileDescriptor, rest.baseAddress, isStopped == nil ? rest.count : min(rest.count, Self.part)
      )
      if count > 0 {
        rest = UnsafeRawBufferPointer(rebasing: rest[count...])
        guard isStopped?() != true || rest.isEmpty else {
          _ = Foundation.write(fileDescriptor, "\n", 1)
          return nil
        }
        continue
      }
      switch errno {
      case EINTR: continue
      // Another process made the shared file non-blocking. Wait, or half a line would merge with the next.
      case EAGAIN: _ = isReady(within: -1)
      case let code: return OutputFailure(code: code)
      }
    }
    return nil
  }

  /// Waits until the file takes bytes, some milliseconds at most or without a limit; returns false if it does not.
  private func isReady(within milliseconds: Int32) -> Bool {
    var ready = pollfd(fd: fileDescriptor, events: Int16(POLLOUT), revents: 0)
    return poll(&ready, 1, milliseconds) > 0
  }
}

extension OutputPiece {
  fileprivate init(_ content: Content, ending terminator: String) {
    self.init(content, endsLine: terminator == "\n")
  }
}

/// The reason why a write failed, as an `errno` code.
package struct OutputFailure: Error, CustomStringConvertible {
  let code: Int32

  package var description: String { String(cString: strerror(code)) }
}
