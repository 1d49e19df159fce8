package import TerminalOutput

/// A piece of text with its meaning: one field of a table, one label of a tree.
///
/// The text may be anything a person typed; it is neutralised when it is rendered.
package struct Cell: Hashable, Sendable, ExpressibleByStringInterpolation {
  /// What is shown, still raw.
  package var text: String
  /// How it is coloured where there is colour.
  package var style: TextStyle

  /// Makes a cell.
  package init(_ text: String, style: TextStyle = .plain) {
    self.text = text
    self.style = style
  }

  /// Makes a plain cell of a literal.
  package init(stringLiteral value: String) {
    self.init(value)
  }
}
