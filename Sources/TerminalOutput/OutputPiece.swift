/// A thing that was written to a ``TextOutput``, before it is laid out for its destination.
///
/// It can travel: written again elsewhere, it looks as if it had been written there.
package struct OutputPiece: Sendable {
  package enum Content: Sendable {
    /// A text with its own lines.
    case text(String)
    /// A string of arbitrary bytes.
    case bytes([UInt8])
    /// A text of one line, in which line ends become escapes.
    case line(String)
    /// Text in pieces, laid out for a profile.
    case painted(PaintedText)
    case json([UInt8])
    /// A line that is drawn in place of the current one.
    case redrawing(String)
  }

  package let content: Content
  /// False if the next piece continues the line.
  package let endsLine: Bool

  package init(_ content: Content, endsLine: Bool = true) {
    self.content = content
    self.endsLine = endsLine
  }
}

/// A destination that is no file of this process.
package protocol OutputReceiving: Sendable {
  /// The place that finally displays the text.
  var profile: TerminalProfile { get }

  func receive(_ piece: OutputPiece)
}
