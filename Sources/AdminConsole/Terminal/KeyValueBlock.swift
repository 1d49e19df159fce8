/// Shows one record, such as an account, as lines of `key  value`.
///
/// Values are wrapped, never cut. Where the keys would take more than half of the width, each value
/// goes below its key.
package struct KeyValueBlock: Sendable {
  private let title: Cell?
  private let entries: [(key: String, value: Cell)]

  /// Makes a block of entries in the order they are shown.
  package init(title: Cell? = nil, _ entries: [(key: String, value: Cell)]) {
    self.title = title
    self.entries = entries
  }

  /// Draws the block, without a final newline.
  package func render(for profile: TerminalProfile) -> String {
    let keys = entries.map { VisibleText.neutralised($0.key) }
    let keyWidth = keys.map(\.displayWidth).max() ?? 0
    let stands = keyWidth + 2 <= profile.width / 2
    var lines = title.map { titleLines($0, profile) } ?? []
    for (key, entry) in zip(keys, entries) {
      lines +=
        stands
        ? besideKey(key, entry.value, keyWidth, profile) : belowKey(key, entry.value, profile)
    }
    return lines.joined(separator: "\n")
  }

  private func titleLines(_ title: Cell, _ profile: TerminalProfile) -> [String] {
    TextFitting.wrapped(VisibleText.neutralised(title.text), to: profile.width)
      .map { profile.paint($0, title.style == .plain ? .heading : title.style) }
  }

  private func besideKey(
    _ key: String, _ value: Cell, _ keyWidth: Int, _ profile: TerminalProfile
  ) -> [String] {
    let room = profile.width - keyWidth - 2
    return TextFitting.wrapped(VisibleText.neutralised(value.text), to: room).enumerated()
      .map { index, part in
        let head = index == 0 ? key : ""
        if part.isEmpty { return profile.paint(head, .accent) }
        let space = String(repeating: " ", count: keyWidth - head.displayWidth + 2)
        return profile.paint(head, .accent) + space + profile.paint(part, value.style)
      }
  }

  private func belowKey(_ key: String, _ value: Cell, _ profile: TerminalProfile) -> [String] {
    let head = profile.paint(TextFitting.truncated(key, to: profile.width), .accent)
    let parts = TextFitting.wrapped(VisibleText.neutralised(value.text), to: profile.width - 2)
    return [head] + parts.filter { !$0.isEmpty }.map { "  " + profile.paint($0, value.style) }
  }
}
