package import TerminalOutput

/// What is laid out for a terminal or a file: a table, a block, a tree, a comparison.
package protocol Drawing: Sendable {
  /// Lays it out, without a final newline.
  func painted(for profile: TerminalProfile) -> PaintedText
}
