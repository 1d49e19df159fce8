import AuthCore
import Foundation
import TerminalOutput

/// Asks a question at the terminal; a secret's text is not shown while it is typed.
package struct TerminalPrompt {
  /// Tells whether Ctrl-C asked to stop.
  private let isInterrupted: () -> Bool

  /// Makes a prompt; without a function Ctrl-C ends the process.
  package init(isInterrupted: @escaping () -> Bool = { false }) {
    self.isInterrupted = isInterrupted
  }

  private static let mostBytes = 64 << 10

  /// Shows a question and waits for a secret.
  ///
  /// A PEM key has several lines: its first line is read together with all lines up to the one that ends the key.
  ///
  /// - Returns: the secret, without its newline.
  /// - Throws: `operation-not-allowed` if there is no terminal, `invalid-argument` for an empty answer, or
  ///   `CancellationError` after Ctrl-C.
  func secret(_ question: String) throws -> Secret<String> {
    let text = try asking(question, hidden: true) { terminal in
      var lines = [try line(terminal)]
      if lines[0].hasPrefix("-----BEGIN ") {
        while lines.last?.hasPrefix("-----END ") != true { lines.append(try line(terminal)) }
      }
      return lines.joined(separator: "\n")
    }
    guard !text.isEmpty else {
      throw AuthError(
        .invalidArgument, "No secret was entered.", remedy: "Run it again, and type the secret.")
    }
    return Secret(text)
  }

  /// Shows a question and waits for a line, which may be empty; throws like ``secret(_:)``.
  package func answer(_ question: String) throws -> String {
    try asking(question, hidden: false, line)
  }

  private func asking(
    _ question: String, hidden: Bool, _ read: (Int32) throws -> String
  ) throws -> String {
    let terminal = open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC)
    guard terminal >= 0 else {
      throw AuthError(
        .operationNotAllowed,
        "\(hidden ? "secret()" : "The console") asks at a terminal, and there is none.",
        remedy: "Run it at a terminal.")
    }
    defer { close(terminal) }
    let output = TextOutput(fileDescriptor: terminal)
    var usual = termios()
    guard tcgetattr(terminal, &usual) == 0 else {
      throw AuthError(
        .operationNotAllowed, "The terminal cannot \(hidden ? "hide input" : "be asked").",
        remedy: "Run it at another terminal.")
    }
    var mode = usual
    if hidden { mode.c_lflag &= ~tcflag_t(ECHO) } else { mode.c_lflag |= tcflag_t(ECHO) }
    mode.c_lflag |= tcflag_t(ICANON | ISIG)
    // What was typed before the question is no answer to it.
    tcsetattr(terminal, TCSAFLUSH, &mode)
    defer {
      tcsetattr(terminal, TCSAFLUSH, &usual)
      if hidden { try? output.write("") }
    }
    try output.write(question, terminator: "")
    return try read(terminal)
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
        .invalidArgument, "The answer is not text in UTF-8.", remedy: "Set the terminal to UTF-8.")
    }
    return text
  }
}

/// The answer to a question that ends with `[y/N]`, or with `[y/N, a for all]`.
package enum Consent {
  case refused, given
  /// Given for this and all further questions of its kind.
  case givenForAll

  /// Reads an answer; everything but a clear yes refuses.
  package init(_ answer: String) {
    switch answer.lowercased().filter({ !$0.isWhitespace }) {
    case "y", "yes": self = .given
    case "a", "all": self = .givenForAll
    default: self = .refused
    }
  }
}
