/// Makes what people typed harmless to print.
///
/// A display name may hold escape sequences that rewrite the screen, newlines that forge a row, or
/// bidirectional overrides that turn a text around. Everything that does not draw a glyph of its
/// own becomes a visible escape such as `\u{1B}`.
package enum VisibleText {
  /// Replaces what could move the cursor, change the terminal or hide from the eye.
  ///
  /// The result has no control characters; with `keepingNewlines` line feeds remain.
  package static func neutralised(_ raw: String, keepingNewlines: Bool = false) -> String {
    if raw.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) { return raw }
    let scalars = Array(raw.unicodeScalars)
    var visible = String.UnicodeScalarView()
    var marks = 0
    for (index, scalar) in scalars.enumerated() {
      let previous = index > 0 ? scalars[index - 1] : nil
      let next = index + 1 < scalars.count ? scalars[index + 1] : nil
      marks = scalar.isMark ? marks + 1 : 0
      if keepingNewlines, scalar == "\n" {
        visible.append(scalar)
      } else if isVisible(scalar, between: previous, and: next, marks: marks) {
        visible.append(scalar)
      } else {
        visible.append(contentsOf: escape(scalar).unicodeScalars)
      }
    }
    return String(visible)
  }

  /// How many marks may pile up on one letter; more would paint over the neighbouring lines.
  private static let highestPile = 4

  private static func isVisible(
    _ scalar: Unicode.Scalar, between previous: Unicode.Scalar?, and next: Unicode.Scalar?,
    marks: Int
  ) -> Bool {
    switch scalar.value {
    case 0x20...0x7E: return true
    case 0x00...0x9F, 0xAD: return false
    case 0x200C, 0x200D:
      // Persian and Indic spelling and joined emoji need these; elsewhere they only deceive.
      return previous?.canBeJoined == true && next?.canBeJoined == true
    case 0xFE0E, 0xFE0F:
      return previous?.properties.isEmoji == true
    default: break
    }
    if scalar.isMark {
      guard let previous else { return false }
      return previous != "\n" && marks <= highestPile
    }
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse,
      .unassigned:
      return false
    default:
      return !scalar.properties.isDefaultIgnorableCodePoint
    }
  }

  private static func escape(_ scalar: Unicode.Scalar) -> String {
    switch scalar {
    case "\n": "\\n"
    case "\r": "\\r"
    case "\t": "\\t"
    default: "\\u{" + String(scalar.value, radix: 16, uppercase: true) + "}"
    }
  }
}

extension Unicode.Scalar {
  fileprivate var isMark: Bool {
    switch properties.generalCategory {
    case .nonspacingMark, .spacingMark, .enclosingMark:
      !(0xFE00...0xFE0F).contains(value) && !properties.isDefaultIgnorableCodePoint
    default: false
    }
  }

  fileprivate var canBeJoined: Bool {
    value > 0x7F && (properties.isAlphabetic || properties.isEmoji || isMark || value == 0xFE0F)
  }
}
