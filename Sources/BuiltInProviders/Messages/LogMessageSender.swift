public import AuthCore
import TerminalOutput

/// Writes each message as one line instead of delivering it; for development.
///
/// The line holds the code or the link, because reading it there is the delivery. Not for production: who
/// reads the log can sign in as anybody.
public struct LogMessageSender: MessageSender {
  private let write: @Sendable (String) -> Void

  /// Takes what writes a line, which comes without its end; standard error where nothing else is said.
  public init(write: @escaping @Sendable (String) -> Void = Self.standardError) {
    self.write = write
  }

  /// Writes a line to standard error.
  public static let standardError: @Sendable (String) -> Void = { line in
    // Where it cannot be written there is nobody to tell.
    try? TextOutput.standardError.write(line: line)
  }

  public func send(_ message: OutgoingMessage) async throws {
    let origin = message.requestedFrom.map { ", asked for from \($0)" } ?? ""
    let about = message.concerning.map { ", about \($0)" } ?? ""
    let line =
      "[\(message.scope)] \(message.kind.rawValue) to \(message.recipient): "
      + "\(message.proof.reveal()) (to \(message.intent), until \(message.expiresAt.text)\(about)\(origin))"
    write(Self.oneLine(line))
  }

  /// Shows what would end the line or steer a terminal as a question mark.
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
