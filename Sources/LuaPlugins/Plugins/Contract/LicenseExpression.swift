/// An SPDX licence expression (SPDX 2.3, Annex D), such as `MIT` or `(GPL-2.0-or-later WITH Classpath-exception-2.0)`.
///
/// The names of licences are not compared with SPDX's list, which grows.
enum LicenseExpression {
  /// Tells whether a text is an expression.
  static func isOne(_ text: String) -> Bool {
    guard text.utf8.count <= 200 else { return false }
    var words = text.replacing("(", with: " ( ").replacing(")", with: " ) ").split(separator: " ")[
      ...]
    return isExpression(&words) && words.isEmpty
  }

  private static func isExpression(_ words: inout ArraySlice<Substring>) -> Bool {
    guard isTerm(&words) else { return false }
    while let word = words.first, ["AND", "OR"].contains(word) {
      words.removeFirst()
      guard isTerm(&words) else { return false }
    }
    return true
  }

  private static func isTerm(_ words: inout ArraySlice<Substring>) -> Bool {
    guard let word = words.popFirst() else { return false }
    if word == "(" { return isExpression(&words) && words.popFirst() == ")" }
    guard isName(word) else { return false }
    guard words.first == "WITH" else { return true }
    words.removeFirst()
    return words.popFirst().map(isName) ?? false
  }

  private static func isName(_ word: Substring) -> Bool {
    !["AND", "OR", "WITH"].contains(word)
      && word.wholeMatch(of: /[A-Za-z0-9][A-Za-z0-9.:-]*\+?/) != nil
  }
}
