/// What a text means to its reader, from which its colour follows.
package enum TextStyle: Hashable, Sendable {
  case plain
  /// Titles and column headers.
  case heading
  /// What can be skipped.
  case muted
  case good
  /// What deserves a look: a difference, a change.
  case notice
  case bad
  /// Names and keys.
  case accent

  fileprivate var code: String {
    switch self {
    case .plain: "0"
    case .heading: "1"
    case .muted: "2"
    case .good: "32"
    case .notice: "33"
    case .bad: "31"
    case .accent: "36"
    }
  }
}

extension TerminalProfile {
  /// Colours a text that is already neutralised; leaves it alone without colour.
  func paint(_ text: String, _ style: TextStyle) -> String {
    guard supportsColor, style != .plain, !text.isEmpty else { return text }
    return "\u{1B}[\(style.code)m\(text)\u{1B}[0m"
  }
}

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
