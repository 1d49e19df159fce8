extension String {
  /// The number of columns that this text takes on a terminal.
  ///
  /// The text must be free of control characters, see ``VisibleText``.
  package var displayWidth: Int {
    utf8.allSatisfy { $0 < 0x80 } ? utf8.count : reduce(0) { $0 + $1.displayWidth }
  }
}

extension Character {
  /// The number of columns that this grapheme takes on a terminal: 0, 1, 2, or more for some scripts.
  package var displayWidth: Int {
    let scalars = unicodeScalars
    if scalars.contains(where: \.isShownAsEmoji) { return 2 }
    return scalars.reduce(0) { $0 + $1.displayWidth }
  }
}

extension Unicode.Scalar {
  /// Tells whether this scalar makes its whole grapheme an emoji, two columns wide.
  ///
  /// Joined emoji, such as a family, are one picture of that width, not the sum of its parts.
  fileprivate var isShownAsEmoji: Bool {
    value == 0xFE0F || (value > 0x2000 && properties.isEmojiPresentation)
  }

  fileprivate var displayWidth: Int {
    if value < 0x300 { return value == 0xAD ? 0 : 1 }
    switch properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: return 0
    default: break
    }
    // The vowels and finals of a Korean syllable are drawn into the cell of its first consonant.
    if (0x1160...0x11FF).contains(value) || (0xD7B0...0xD7FF).contains(value) { return 0 }
    return Self.wide.contains { $0.contains(value) } ? 2 : 1
  }

  /// The blocks that Unicode calls wide or full-width (East_Asian_Width W and F), without emoji.
  private static let wide: [ClosedRange<UInt32>] = [
    0x1100...0x115F, 0x2329...0x232A, 0x2E80...0x303E, 0x3041...0x3247, 0x3250...0x4DBF,
    0x4E00...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19,
    0xFE30...0xFE6F, 0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x16FE0...0x18DFF, 0x1AFF0...0x1B2FF,
    0x1F200...0x1F265, 0x20000...0x2FFFD, 0x30000...0x3FFFD,
  ]
}
