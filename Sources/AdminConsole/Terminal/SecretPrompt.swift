import AuthCore
import Foundation
import TerminalOutput

/// Asks for a secret at the terminal without showing the typed text.
///
/// A PEM key has several lines: its first line is read together with all lines up to the one that ends the key.
struct SecretPrompt {
  /// Tells whether Ctrl-C asked to stop.
  let isInterrupted: () -> Bool

  private static let mostBytes = 64 << 10

  /// Shows a question and waits for the answer.
  ///
  /// - Returns: the secret, without its newline.
  /// - Throws: `operation-not-allowed` if there is no terminal, `invalid-argument` for an empty answer, or
  ///   `CancellationError` after Ctrl-C.
  func ask(_ question: String) throws -> Secret<String> {
    let terminal = open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC)
    guard terminal >= 0 else {
      throw AuthError(
        .operationNotAllowed, "secret() asks at a terminal, and there is none.",
        remedy: "Run it at a terminal.")
    }
    defer { close(terminal) }
    let output = TextOutput(fileDescriptor: terminal)
    var shown = termios()
    guard tcgetattr(terminal, &shown) == 0 else {
      throw AuthError(
        .operationNotAllowed, "The terminal cannot hide input.",
        remedy: "Run it at another terminal.")
    }
    var hidden = shown
    hidden.c_lflag &= ~tcflag_t(ECHO)
    hidden.c_lflag |= tcflag_t(ICANON | ISIG)
    tcsetattr(terminal, TCSAFLUSH, &hidden)
    defer {
      tcsetattr(terminal, TCSAFLUSH, &shown)
      try? output.write("")
    }
    try output.write(question, terminator: "")
    var lines = [try line(terminal)]
    if lines[0].hasPrefix("-----BEGIN ") {
      while lines.last?.hasPrefix("-----END ") != true { lines.append(try line(terminal)) }
    }
    let text = lines.joined(separator: "\n")
    guard !text.isEmpty else {
      throw AuthError(
        .invalidArgument, "No secret was entered.", remedy: "Run it again, and type the secret.")
    }
    return Secret(text)
  }

  private func line(_ terminal: Int32) throws -> String {
    var bytes: [UInt8] = []
    while bytes.count < Self.mostBytes {
      guard !isInterrupted() else { throw CancellationError() }
      var waiting = pollfd(fd: terminal, events: Int16(POLLIN), revents: 0)
      guard poll(&waiting, 1, 100) > 0 else { continue }
      var byte: UInt8 = 0
      guard read(terminal, &byte, 1) == 1 else { break }
      if byte == UInt8(ascii: "\n") { break }
      bytes.append(byte)
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw AuthError(
        .invalidArgument, "The secret is not text in UTF-8.", remedy: "Set the terminal to UTF-8.")
    }
    return text
  }
}
