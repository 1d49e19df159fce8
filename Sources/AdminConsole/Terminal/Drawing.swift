package import TerminalOutput

/// A text that is laid out for a terminal or a file: a table, a block, a tree, a comparison.
package protocol Drawing: Sendable {
  /// Lays the text out, without a final newline.
  func painted(for profile: TerminalProfile) -> PaintedText
}
