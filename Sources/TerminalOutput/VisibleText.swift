/// Makes untrusted text harmless to print.
///
/// A display name may hold escape sequences that rewrite the screen, newlines that forge a row, or bidirectional
/// overrides that reverse text. Everything that draws no glyph of its own becomes a visible escape such as
/// `\u{1B}`.
package enum VisibleText {
  /// Replaces everything that could move the cursor, change the terminal or be invisible.
  ///
  /// The result has no control characters, except line feeds with `keepingNewlines` and tabs with `keepingTabs`.
  package static func neutralised(
    _ raw: String, keepingNewlines: Bool = false, keepingTabs: Bool = false
  ) -> String {
    if isPrintableASCII(raw) { return raw }
    return replacing(raw, { escape($0) }) { scalar, previous, next, marks in
      scalar == "\n" && keepingNewlines || scalar == "\t" && keepingTabs
        || isVisible(scalar, between: previous, and: next, marks: marks)
    }
  }

  /// Replaces characters that are invisible in every context.
  ///
  /// For text that was neutralised and then cut into lines, which may have separated joiners and marks from their
  /// neighbours.
  static func guarded(_ laidOut: String) -> String {
    if isPrintableASCII(laidOut) { return laidOut }
    return replacing(laidOut, { escape($0) }) { scalar, _, _, _ in
      switch scalar.value {
      case 0x0A, 0x200C, 0x200D, 0xFE0E, 0xFE0F: true
      default: scalar.isMark || isVisible(scalar, between: nil, and: nil, marks: 0)
      }
    }
  }

  /// Keeps a text on one line: control characters become escapes, everything else stays.
  ///
  /// For text that goes into a file, which does not obey control sequences.
  package static func oneLine(_ raw: String) -> String {
    if isPrintableASCII(raw) { return raw }
    return replacing(raw, { escape($0) }) { scalar, _, _, _ in !scalar.isControl }
  }

  /// Returns a Lua string literal that evaluates to exactly this text.
  package static func quoted(_ raw: some StringProtocol) -> String {
    let escaped = replacing(
      String(raw),
      { scalar in
        scalar == "\"" || scalar == "\\" ? "\\\(scalar)" : escape(scalar, digits: .lowercase)
      }
    ) { scalar, previous, next, marks in
      scalar != "\"" && scalar != "\\"
        && isVisible(scalar, between: previous, and: next, marks: marks)
    }
    return "\"\(escaped)\""
  }

  /// Makes JSON safe to display: characters that a terminal would obey or hide become JSON escapes.
  ///
  /// The value stays the same.
  package static func json(_ text: String) -> String {
    replacing(
      text,
      { scalar in
        String(scalar).utf16.map { "\\u" + padded(String($0, radix: 16), to: 4) }.joined()
      }
    ) { scalar, previous, next, marks in
      scalar == "\n" || isVisible(scalar, between: previous, and: next, marks: marks)
    }
  }

  /// Decodes bytes that are only partly text: invalid bytes become escapes such as `\xFF`.
  static func decoded(_ bytes: [UInt8]) -> String {
    if let text = String(validating: bytes, as: UTF8.self) { return text }
    var text = ""
    var parser = Unicode.UTF8.ForwardParser()
    var rest = bytes.makeIterator()
    var place = 0
    while true {
      switch parser.parseScalar(from: &rest) {
      case .valid(let encoded):
        text.unicodeScalars.append(Unicode.UTF8.decode(encoded))
        place += encoded.count
      case .error(let length):
        for byte in bytes[place..<place + length] {
          text += "\\x" + padded(String(byte, radix: 16, uppercase: true), to: 2)
        }
        place += length
      case .emptyInput: return text
      }
    }
  }

  private static func replacing(
    _ raw: String, _ escape: (Unicode.Scalar) -> String,
    unless isKept: (Unicode.Scalar, Unicode.Scalar?, Unicode.Scalar?, Int) -> Bool
  ) -> String {
    var visible = String.UnicodeScalarView()
    var marks = 0
    var previous: Unicode.Scalar?
    var isChanged = false
    var rest = raw.unicodeScalars.makeIterator()
    var current = rest.next()
    while let scalar = current {
      let next = rest.next()
      marks = scalar.isMark ? marks + 1 : 0
      if isKept(scalar, previous, next, marks) {
        visible.append(scalar)
      } else {
        isChanged = true
        visible.append(contentsOf: escape(scalar).unicodeScalars)
      }
      previous = scalar
      current = next
    }
    return isChanged ? String(visible) : raw
  }

  private static func isPrintableASCII(_ text: String) -> Bool {
    // Walking the UTF-8 buffer is many times faster than walking the view.
    var text = text
    return text.withUTF8 { $0.allSatisfy { (0x20...0x7E).contains($0) } }
  }

  /// The maximum number of marks on one letter; more would paint over neighbouring lines.
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

  private enum Digits { case uppercase, lowercase }

  private static func escape(_ scalar: Unicode.Scalar, digits: Digits = .uppercase) -> String {
    switch scalar {
    case "\n": "\\n"
    case "\r": "\\r"
    case "\t": "\\t"
    default: "\\u{" + String(scalar.value, radix: 16, uppercase: digits == .uppercase) + "}"
    }
  }

  private static func padded(_ digits: String, to width: Int) -> String {
    String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
}

extension Unicode.Scalar {
  fileprivate var isControl: Bool { value < 0x20 || (0x7F...0x9F).contains(value) }

  fileprivate var isMark: Bool {
    // A shortcut for most text: the property table is slow.
    if value < 0x300 { return false }
    return switch properties.generalCategory {
    case .nonspacingMark, .spacingMark, .enclosingMark:
      !(0xFE00...0xFE0F).contains(value) && !properties.isDefaultIgnorableCodePoint
    default: false
    }
  }

  fileprivate var canBeJoined: Bool {
    value > 0x7F && (properties.isAlphabetic || properties.isEmoji || isMark || value == 0xFE0F)
  }
}
