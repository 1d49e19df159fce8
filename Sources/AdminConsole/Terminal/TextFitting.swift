/// Fits text into a number of columns.
///
/// Widths are columns of a terminal, not characters. The texts must already be neutralised.
package enum TextFitting {
  /// Cuts a text to at most `width` columns; a cut text ends in `…`.
  package static func truncated(_ text: String, to width: Int) -> String {
    guard text.displayWidth > width else { return text }
    guard width > 0 else { return "" }
    return String(text[..<prefixEnd(of: text[...], within: width - 1)]) + "…"
  }

  /// Pads a text with spaces to `width` columns.
  package static func padded(
    _ text: String, to width: Int, _ alignment: TextTable.Alignment = .leading
  ) -> String {
    let spaces = String(repeating: " ", count: max(0, width - text.displayWidth))
    return alignment == .leading ? text + spaces : spaces + text
  }

  /// Breaks a text into lines of at most `width` columns.
  ///
  /// Breaks at spaces if there are any, otherwise between graphemes. Newlines always break. There is at least one line.
  package static func wrapped(_ text: String, to width: Int) -> [String] {
    text.split(separator: "\n", omittingEmptySubsequences: false)
      .flatMap { LineBreaking(width: max(2, width)).lines(of: $0) }
  }

  private static func prefixEnd(of text: Substring, within width: Int) -> Substring.Index {
    var used = 0
    for index in text.indices {
      used += text[index].displayWidth
      if used > width { return index }
    }
    return text.endIndex
  }
}
