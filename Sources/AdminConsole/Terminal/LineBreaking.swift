/// Breaks one paragraph into lines in a single pass.
struct LineBreaking {
  /// The columns of a line, at least two.
  let width: Int

  /// A part that stays together on a line: a grapheme, or a part of one that is wider than any line.
  private struct Unit {
    let end: Substring.Index
    let width: Int
    let isSpace: Bool
  }

  /// Breaks at spaces if there are any, otherwise between graphemes; there is at least one line.
  func lines(of paragraph: Substring) -> [String] {
    var lines: [String] = []
    var start = paragraph.startIndex
    var end = start
    var used = 0
    /// The last space of the line: its beginning and end, and the width of the line up to its end.
    var space: (start: Substring.Index, end: Substring.Index, used: Int)?
    forEachUnit(of: paragraph) { unit in
      while used + unit.width > width, used > 0 {
        if unit.isSpace {
          lines.append(String(paragraph[start..<end]))
          (start, end, used, space) = (unit.end, unit.end, 0, nil)
          return
        }
        if let last = space, last.start > start {
          lines.append(String(paragraph[start..<last.start]))
          (start, used) = (last.end, used - last.used)
        } else {
          lines.append(String(paragraph[start..<end]))
          (start, used) = (end, 0)
        }
        space = nil
      }
      used += unit.width
      if unit.isSpace { space = (end, unit.end, used) }
      end = unit.end
    }
    lines.append(String(paragraph[start...]))
    return lines
  }

  private func forEachUnit(of paragraph: Substring, _ body: (Unit) -> Void) {
    var start = paragraph.startIndex
    while start < paragraph.endIndex {
      let end = paragraph.index(after: start)
      let width = paragraph[start].displayWidth
      if width <= self.width {
        body(Unit(end: end, width: width, isSpace: paragraph[start] == " "))
      } else {
        // In some scripts letters join without limit, to a grapheme that is wider than any line.
        let scalars = paragraph.unicodeScalars
        var place = start
        while place < end {
          let next = scalars.index(after: place)
          body(
            Unit(
              end: next, width: String(scalars[place..<next]).displayWidth, isSpace: false))
          place = next
        }
      }
      start = end
    }
  }
}
