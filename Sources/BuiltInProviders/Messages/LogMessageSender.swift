public import AuthCore
import TerminalOutput

/// Writes each message as one line instead of delivering it, for development.
///
/// The line holds the code or the link, because reading it there is the delivery. Not for production: a reader of
/// the log can sign in to any account.
public struct LogMessageSender: MessageSender {
  private let write: @Sendable (String) -> Void

  /// Makes a sender that passes each line to `write`, without a line break.
  public init(write: @escaping @Sendable (String) -> Void = Self.standardError) {
    self.write = write
  }

  /// Writes a line to standard error.
  public static let standardError: @Sendable (String) -> Void = { line in
    // A failure to write cannot be reported anywhere.
    try? TextOutput.standardError.write(line: line)
  }

  /// Writes the message as one line.
  public func send(_ message: OutgoingMessage) async throws {
    let origin = message.requestedFrom.map { ", asked for from \($0)" } ?? ""
    let about = message.concerning.map { ", about \($0)" } ?? ""
    let line =
      "[\(message.scope)] \(message.kind.rawValue) to \(message.recipient): "
      + "\(message.proof.reveal()) (to \(message.intent), until \(message.expiresAt.text)\(about)\(origin))"
    write(Self.oneLine(line))
  }

  /// Replaces characters that would end the line or control a terminal with question marks.
  private static func oneLine(_ text: String) -> String {
    var scalars = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator: scalars.append("?")
      default: scalars.append(scalar)
      }
    }
    return String(scalars)
  }
}
