import TerminalOutput

/// The effect of the Tab key on a line.
///
/// A single candidate replaces the word unchanged: no space and no quote is added. If there are several, their common
/// beginning is inserted and all are listed.
struct Completion: Hashable {
  /// The number of code points to remove before the cursor.
  var deleted = 0
  /// The text to insert in their place.
  var inserted = ""
  /// The candidates to show below the line.
  var listed: [String] = []

  var changesLine: Bool { deleted > 0 || !inserted.isEmpty }

  /// Decides the effect of the candidates for the bytes `start..<cursor` of a line.
  ///
  /// Offsets inside a code point complete nothing.
  init(of line: String, cursor: Int, start: Int, candidates: [String]) {
    let bytes = line.utf8
    guard 0 <= start, start <= cursor, cursor <= bytes.count,
      let from = bytes.index(bytes.startIndex, offsetBy: start).samePosition(
        in: line.unicodeScalars),
      let to = bytes.index(bytes.startIndex, offsetBy: cursor).samePosition(in: line.unicodeScalars)
    else { return }
    let word = String(line.unicodeScalars[from..<to])
    var seen: Set<String> = []
    let distinct = candidates.filter { seen.insert($0).inserted }
    guard let first = distinct.first else { return }
    let beginning = distinct.dropFirst().reduce(first) { Self.commonBeginning($0, $1) }
    // A candidate may differ from the word in case; a shorter beginning would delete typed text.
    let replaces =
      distinct.count == 1 || (beginning.hasPrefix(word) && beginning.count > word.count)
    if replaces, beginning != word {
      deleted = word.unicodeScalars.count
      inserted = beginning
    }
    if distinct.count > 1 { listed = distinct }
  }

  private static func commonBeginning(_ one: String, _ other: String) -> String {
    String(zip(one, other).prefix { $0 == $1 }.map(\.0))
  }

  /// The number of candidates that are listed; the rest is only counted.
  private static let mostListed = 200

  /// Lays the candidates out in columns, to be read downwards.
  func listing(width: Int) -> String {
    let words = listed.prefix(Self.mostListed)
      .map { TextFitting.truncated(VisibleText.neutralised($0), to: width - 1) }
    let columnWidth = (words.map(\.displayWidth).max() ?? 0) + 2
    let columns = max(1, (width + 1) / columnWidth)
    let height = (words.count + columns - 1) / columns
    var lines = (0..<height).map { row in
      let line = stride(from: row, to: words.count, by: height).map { words[$0] }
      return line.dropLast().map { TextFitting.padded($0, to: columnWidth) }.joined()
        + (line.last ?? "")
    }
    if listed.count > words.count { lines.append("… and \(listed.count - words.count) more") }
    return lines.joined(separator: "\n")
  }
}
