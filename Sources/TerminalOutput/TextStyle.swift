/// The meaning of a text for its reader, which determines its colour.
package enum TextStyle: String, Hashable, Sendable {
  case plain
  /// Titles and column headers.
  case heading
  /// Details that can be skipped.
  case muted
  case good
  /// Text that deserves attention: a difference, a change.
  case notice
  case bad
  /// Names and keys.
  case accent
  /// Black on white, whatever the terminal's colours are, for a code that a camera reads.
  case inked

  fileprivate var code: String {
    switch self {
    case .plain: "0"
    case .heading: "1"
    case .muted: "2"
    case .good: "32"
    case .notice: "33"
    case .bad: "31"
    case .accent: "36"
    // The colours 16 and 231 of the 256 belong to no theme.
    case .inked: "38;5;16;48;5;231"
    }
  }
}

extension TerminalProfile {
  /// Colours a text that is already neutralised; returns it unchanged if the profile has no colour.
  func paint(_ text: String, _ style: TextStyle) -> String {
    guard supportsColor, style != .plain, !text.isEmpty else { return text }
    return "\u{1B}[\(style.code)m\(text)\u{1B}[0m"
  }
}
