/// What is to be shown, in pieces that know where they come from: the text of others, or the layout around it.
///
/// Colours are added, and the text of others is made harmless, when it is written by ``TextOutput`` and not
/// before. So nothing that a person typed can pass for a colour.
package struct PaintedText: Sendable, ExpressibleByStringInterpolation {
  private enum Origin {
    /// The text of others, with its own lines.
    case free
    /// The text of others, for one line.
    case line
    /// Neutralised, and laid out for a width.
    case laidOut
  }

  private struct Piece {
    var text: String
    var style: TextStyle
    var origin: Origin
  }

  private var pieces: [Piece]

  private init(_ text: String, _ style: TextStyle, _ origin: Origin) {
    pieces = text.isEmpty ? [] : [Piece(text: text, style: style, origin: origin)]
  }

  /// Makes a text that may be of several lines.
  package init(_ text: String, style: TextStyle = .plain) {
    self.init(text, style, .free)
  }

  /// Makes a text of one line: line ends in it become escapes wherever it goes.
  package init(line: String, style: TextStyle = .plain) {
    self.init(line, style, .line)
  }

  /// Makes a piece of a layout, of text that was neutralised before it was cut and padded.
  package init(laidOut: String, style: TextStyle = .plain) {
    self.init(laidOut, style, .laidOut)
  }

  /// Makes a text of a literal.
  package init(stringLiteral value: String) {
    self.init(value)
  }

  package var isEmpty: Bool { pieces.isEmpty }

  /// The text without colours; still raw.
  package var plain: String { pieces.map(\.text).joined() }

  package mutating func append(_ other: PaintedText) {
    pieces += other.pieces
  }

  package static func + (one: PaintedText, other: PaintedText) -> PaintedText {
    var sum = one
    sum.append(other)
    return sum
  }

  /// The text as it is written: harmless and coloured for a terminal, exact for a file.
  package func text(for profile: TerminalProfile) -> String {
    var text = ""
    for piece in pieces {
      let shown =
        switch (piece.origin, profile.isTerminal) {
        case (.free, true): VisibleText.freeText(piece.text)
        case (.line, true): VisibleText.neutralised(piece.text)
        case (.laidOut, true): VisibleText.guarded(piece.text)
        case (.line, false): VisibleText.oneLine(piece.text)
        case (.free, false), (.laidOut, false): piece.text
        }
      text += profile.paint(shown, piece.style)
    }
    return text
  }
}

extension Sequence<PaintedText> {
  /// Joins texts with a piece of layout between them.
  package func joined(separator: String = "") -> PaintedText {
    var sum = PaintedText("")
    var isFirst = true
    for text in self {
      if !isFirst { sum.append(PaintedText(laidOut: separator)) }
      isFirst = false
      sum.append(text)
    }
    return sum
  }
}

extension VisibleText {
  /// What a terminal may be given of text with lines and tabs of its own.
  static func freeText(_ raw: String) -> String {
    neutralised(raw, keepingNewlines: true, keepingTabs: true)
  }

  /// The text of one cell or label.
  ///
  /// For a file it is exact. One with control characters, or with a quote at its start, becomes a string of
  /// Lua, so that it neither breaks a row nor can be mistaken.
  package static func cell(_ raw: String, for profile: TerminalProfile) -> String {
    if profile.isTerminal { return neutralised(raw) }
    return raw.hasPrefix("\"") || oneLine(raw) != raw ? quoted(raw) : raw
  }
}
