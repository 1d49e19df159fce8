/// Text to display, in pieces that know their origin: untrusted text, or the layout around it.
///
/// ``TextOutput`` neutralises untrusted text and adds colours only when it writes. So no text that a person
/// typed can imitate a colour.
package struct PaintedText: Sendable, ExpressibleByStringInterpolation {
  package enum Origin: String, Sendable {
    /// Untrusted text, which may have several lines.
    case free
    /// Untrusted text for one line.
    case line
    /// Text that is already neutralised and laid out for a width.
    case laidOut
  }

  package struct Piece: Sendable {
    package var text: String
    package let style: TextStyle
    package let origin: Origin

    package init(text: String, style: TextStyle, origin: Origin) {
      self.text = text
      self.style = style
      self.origin = origin
    }
  }

  package private(set) var pieces: [Piece]

  package init(_ pieces: [Piece]) {
    self.pieces = pieces
  }

  private init(_ text: String, _ style: TextStyle, _ origin: Origin) {
    pieces = text.isEmpty ? [] : [Piece(text: text, style: style, origin: origin)]
  }

  /// Makes a text that may have several lines.
  package init(_ text: String, style: TextStyle = .plain) {
    self.init(text, style, .free)
  }

  /// Makes a text of one line: line ends in it become escapes, on a terminal and in a file.
  package init(line: String, style: TextStyle = .plain) {
    self.init(line, style, .line)
  }

  /// Makes a piece of a layout from text that was neutralised before it was cut and padded.
  package init(laidOut: String, style: TextStyle = .plain) {
    self.init(laidOut, style, .laidOut)
  }

  /// Makes a text from a literal.
  package init(stringLiteral value: String) {
    self.init(value)
  }

  package var isEmpty: Bool { pieces.isEmpty }

  /// The text without colours, not neutralised.
  package var plain: String { pieces.map(\.text).joined() }

  package mutating func append(_ other: PaintedText) {
    pieces += other.pieces
  }

  package static func + (one: PaintedText, other: PaintedText) -> PaintedText {
    var sum = one
    sum.append(other)
    return sum
  }

  /// Returns the text to write: neutralised and coloured for a terminal, exact for a file.
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
  /// Joins texts with a layout piece between them.
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
  /// Neutralises text that keeps its own lines and tabs.
  static func freeText(_ raw: String) -> String {
    neutralised(raw, keepingNewlines: true, keepingTabs: true)
  }

  /// Returns the text of one cell or label.
  ///
  /// A file gets the exact text. Text that contains control characters or starts with a quote becomes a Lua string,
  /// so that it neither breaks a row nor is ambiguous.
  package static func cell(_ raw: String, for profile: TerminalProfile) -> String {
    if profile.isTerminal { return neutralised(raw) }
    return raw.hasPrefix("\"") || oneLine(raw) != raw ? quoted(raw) : raw
  }
}
