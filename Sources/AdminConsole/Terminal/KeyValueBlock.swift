package import TerminalOutput

/// Shows one record, such as an account, as lines of `key  value`.
///
/// Values are wrapped, never cut. If the keys would take more than half of the width, each value goes below its key.
package struct KeyValueBlock: Drawing {
  private let title: Cell?
  private let entries: [(key: String, value: Cell)]

  /// Makes a block of entries in the order they are shown.
  package init(title: Cell? = nil, _ entries: [(key: String, value: Cell)]) {
    self.title = title
    self.entries = entries
  }

  /// Draws the block, without a final newline.
  package func painted(for profile: TerminalProfile) -> PaintedText {
    let keys = entries.map { VisibleText.cell($0.key, for: profile) }
    let keyWidth = keys.map(\.displayWidth).max() ?? 0
    let stands = !profile.isBounded || keyWidth + 2 <= profile.width / 2
    var lines = title.map { titleLines($0, profile) } ?? []
    for (key, entry) in zip(keys, entries) {
      lines +=
        stands
        ? besideKey(key, entry.value, keyWidth: keyWidth, profile)
        : belowKey(key, entry.value, profile)
    }
    return lines.joined(separator: "\n")
  }

  private func titleLines(_ title: Cell, _ profile: TerminalProfile) -> [PaintedText] {
    lines(of: title, width: profile.width, profile)
      .map { PaintedText(laidOut: $0, style: title.style == .plain ? .heading : title.style) }
  }

  private func lines(of cell: Cell, width: Int, _ profile: TerminalProfile) -> [String] {
    let text = VisibleText.cell(cell.text, for: profile)
    return profile.isBounded ? TextFitting.wrapped(text, to: width) : [text]
  }

  private func besideKey(
    _ key: String, _ value: Cell, keyWidth: Int, _ profile: TerminalProfile
  ) -> [PaintedText] {
    let room = profile.width - keyWidth - 2
    return lines(of: value, width: room, profile).enumerated().map { index, part in
      let head = index == 0 ? key : ""
      let painted = PaintedText(laidOut: head, style: .accent)
      if part.isEmpty { return painted }
      let space = String(repeating: " ", count: keyWidth - head.displayWidth + 2)
      return painted + PaintedText(laidOut: space) + PaintedText(laidOut: part, style: value.style)
    }
  }

  private func belowKey(
    _ key: String, _ value: Cell, _ profile: TerminalProfile
  ) -> [PaintedText] {
    let head = PaintedText(
      laidOut: TextFitting.truncated(key, to: profile.width), style: .accent)
    let parts = lines(of: value, width: profile.width - 2, profile)
    return [head]
      + parts.filter { !$0.isEmpty }.map {
        PaintedText(laidOut: "  ") + PaintedText(laidOut: $0, style: value.style)
      }
  }
}
