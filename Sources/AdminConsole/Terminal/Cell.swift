package import TerminalOutput

/// A piece of text with its meaning: one field of a table, one label of a tree.
///
/// The text may come from any person. It is neutralised when it is rendered.
package struct Cell: Hashable, Sendable, ExpressibleByStringInterpolation {
  /// The text, not neutralised.
  package var text: String
  /// The style, which determines the colour.
  package var style: TextStyle

  /// Makes a cell.
  package init(_ text: String, style: TextStyle = .plain) {
    self.text = text
    self.style = style
  }

  /// Makes a plain cell from a literal.
  package init(stringLiteral value: String) {
    self.init(value)
  }
}
