/// Fits text into a number of columns.
///
/// Widths are columns of a terminal, not characters. The texts must be neutralised before.
package enum TextFitting {
  /// Cuts a text to at most `width` columns, the last of which then is `…`.
  package static func truncated(_ text: String, to width: Int) -> String {
    guard text.displayWidth > width else { return text }
    guard width > 0 else { return "" }
    return String(text[..<prefixEnd(of: text[...], within: width - 1)]) + "…"
  }

  /// Fills a text with spaces up to `width` columns.
  package static func padded(
    _ text: String, to width: Int, _ alignment: TextTable.Alignment = .leading
  ) -> String {
    let spaces = String(repeating: " ", count: max(0, width - text.displayWidth))
    return alignment == .leading ? text + spaces : spaces + text
  }

  /// Breaks a text into lines of at most `width` columns.
  ///
  /// Breaks at spaces where there are any, else between graphemes; newlines always break. There is
  /// at least one line.
  package static func wrapped(_ text: String, to width: Int) -> [String] {
    text.split(separator: "\n", omittingEmptySubsequences: false)
      .flatMap { wrappedParagraph($0, to: max(2, width)) }
  }

  private static func wrappedParagraph(_ paragraph: Substring, to width: Int) -> [String] {
    var lines: [String] = []
    var rest = paragraph
    while String(rest).displayWidth > width {
      var end = prefixEnd(of: rest, within: width)
      if end == rest.startIndex { end = scalarPrefixEnd(of: rest, within: width) }
      var next = end
      if rest[end] == " " {
        next = rest.index(after: end)
      } else if let space = rest[..<end].lastIndex(of: " "), space > rest.startIndex {
        end = space
        next = rest.index(after: space)
      }
      lines.append(String(rest[..<end]))
      rest = rest[next...]
    }
    lines.append(String(rest))
    return lines
  }

  private static func prefixEnd(of text: Substring, within width: Int) -> Substring.Index {
    var used = 0
    for index in text.indices {
      used += text[index].displayWidth
      if used > width { return index }
    }
    return text.endIndex
  }

  // In some scripts letters join without end, to a grapheme that is wider than any line.
  private static func scalarPrefixEnd(
    of text: Substring, within width: Int
  ) -> Substring.Index {
    let scalars = text.unicodeScalars
    var end = scalars.index(after: scalars.startIndex)
    while end < scalars.endIndex {
      let next = scalars.index(after: end)
      guard String(scalars[..<next]).displayWidth <= width else { break }
      end = next
    }
    return end
  }
}
