import Foundation

/// The form of a text in which searches compare it: words without case, accents and punctuation.
///
/// It finds accounts and decides nothing: two addresses that fold to one text stay two mailboxes.
package enum FoldedText {
  /// Returns the words of a text: what stands between spaces and punctuation, folded.
  package static func words(_ text: String) -> [String] {
    ascii(text) ?? split(folded(text))
  }

  /// The ASCII bytes of a word.
  private static func wordByte(_ byte: UInt8) -> UInt8? {
    switch byte {
    case 0x30...0x39, 0x61...0x7A: byte
    case 0x41...0x5A: byte + 0x20
    default: nil
    }
  }

  /// Returns the words of an ASCII text; nil if it has other characters.
  private static func ascii(_ text: String) -> [String]? {
    var words: [String] = []
    var word: [UInt8] = []
    for byte in text.utf8 {
      guard byte < 0x80 else { return nil }
      if let byte = wordByte(byte) {
        word.append(byte)
      } else if !word.isEmpty {
        words.append(String(decoding: word, as: UTF8.self))
        word.removeAll(keepingCapacity: true)
      }
    }
    if !word.isEmpty { words.append(String(decoding: word, as: UTF8.self)) }
    return words
  }

  /// Returns a text in lower case, decomposed and without marks; letters that Unicode does not decompose are spelled
  /// out.
  private static func folded(_ text: String) -> String {
    var scalars = String.UnicodeScalarView()
    for scalar in text.decomposedStringWithCompatibilityMapping.lowercased().unicodeScalars
    where scalar.properties.generalCategory != .nonspacingMark {
      if let spelled = spellings[scalar] {
        scalars.append(contentsOf: spelled.unicodeScalars)
      } else {
        scalars.append(scalar)
      }
    }
    return String(scalars)
  }

  private static let spellings: [Unicode.Scalar: String] = [
    "ß": "ss", "ø": "o", "æ": "ae", "œ": "oe", "đ": "d", "ð": "d", "þ": "th", "ł": "l", "ħ": "h",
    "ı": "i", "ŋ": "n", "ς": "σ",
  ]

  private static func split(_ text: String) -> [String] {
    text.unicodeScalars.split { scalar in
      switch scalar.properties.generalCategory {
      case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
        .decimalNumber, .letterNumber, .otherNumber, .spacingMark:
        false
      default: true
      }
    }.map { String($0) }
  }
}
