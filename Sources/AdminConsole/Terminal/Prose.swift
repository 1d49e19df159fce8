import TerminalOutput

/// One line of prose, such as an error, that a terminal shows without breaking a word.
///
/// The further lines on a terminal are indented, so that none of them looks like a line of its own. In a file it stays
/// one line.
struct Prose: Drawing {
  private let text: String
  private let style: TextStyle

  init(_ text: String, style: TextStyle = .plain) {
    self.text = text
    self.style = style
  }

  func painted(for profile: TerminalProfile) -> PaintedText {
    let text = profile.isTerminal ? VisibleText.cell(text, for: profile) : text
    guard profile.isTerminal, text.displayWidth > profile.width else {
      return PaintedText(line: self.text, style: style)
    }
    let lines = TextFitting.wrapped(text, to: profile.width - Self.indent.count)
    return lines.enumerated().map { place, line in
      PaintedText(laidOut: place == 0 ? line : Self.indent + line, style: style)
    }.joined(separator: "\n")
  }

  private static let indent = "  "

  /// Breaks the lines of a text of the console between words; further lines keep the indent of their line.
  static func wrapped(_ text: String, to width: Int) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).flatMap { line -> [String] in
      guard String(line).displayWidth > width else { return [String(line)] }
      let indent = String(line.prefix { $0 == " " })
      return TextFitting.wrapped(String(line.dropFirst(indent.count)), to: width - indent.count)
        .map { indent + $0 }
    }.joined(separator: "\n")
  }
}
