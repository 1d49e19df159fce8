/// A policy's text with a call at each branch, which tells the way that a run goes.
///
/// The calls stand on the lines of the branches, so every line keeps its number. Only runs for coverage execute it.
struct BranchedText {
  /// The function that the calls name; the original text does not contain it.
  let word: String
  let text: String
  /// The points by their numbers in the calls, which begin with 1.
  let points: [(point: BranchPoint, line: Int, text: String)]
  /// The lines on which there is nothing but the examples.
  let linesOfExamples: Set<Int>

  /// Makes the text; throws if the original is not understood.
  init(_ original: String) throws(LuaParser.Failure) {
    let tokens = LuaLexer.tokens(of: original)
    let finder = try BranchFinder(tokens)
    let bytes = Array(original.utf8)
    var word = "branch"
    while original.contains(word) { word += "_" }
    self.word = word
    linesOfExamples = finder.linesOfExamples
    points = finder.points.map { point in
      // Of a loop only the head.
      let end = finder.start(of: point).map { $0 + 1 } ?? point.tokens.upperBound
      let range = tokens.bytes(of: point.tokens.lowerBound..<end)
      return (
        point, tokens[point.tokens.lowerBound].line,
        Self.oneLine(String(decoding: bytes[range], as: UTF8.self))
      )
    }

    var insertions: [(at: Int, text: String)] = []
    for (offset, (point, _, _)) in points.enumerated() {
      let (range, number) = (tokens.bytes(of: point.tokens), offset + 1)
      switch point.kind {
      case .condition:
        insertions.append((range.lowerBound, "\(word)(\(number),"))
        insertions.append((range.upperBound, ")"))
      case .loop:
        guard let start = finder.start(of: point) else { continue }
        insertions.append((tokens[start].bytes.upperBound, " \(word)(\(number),true);"))
        insertions.append((range.upperBound, " \(word)(\(number),false);"))
        for place in finder.breaks(of: point) {
          let at = tokens.bytes(of: place).lowerBound
          insertions.append((at, " \(word)(-\(number));"))
        }
      }
    }
    text = Self.text(bytes, with: insertions)
  }

  private static func text(_ bytes: [UInt8], with insertions: [(at: Int, text: String)]) -> String {
    var (result, done): ([UInt8], Int) = ([], 0)
    let ordered = insertions.enumerated().sorted { a, b in
      (a.element.at, a.offset) < (b.element.at, b.offset)
    }
    for (_, insertion) in ordered {
      result += bytes[done..<insertion.at]
      result += insertion.text.utf8
      done = insertion.at
    }
    return String(decoding: result + bytes[done...], as: UTF8.self)
  }

  private static let longest = 60

  private static func oneLine(_ text: String) -> String {
    let line = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    return line.count > longest ? line.prefix(longest - 1) + "…" : line
  }
}

extension [LuaToken] {
  /// The bytes from the first to the last of some tokens.
  fileprivate func bytes(of tokens: Range<Int>) -> Range<Int> {
    self[tokens.lowerBound].bytes.lowerBound..<self[tokens.upperBound - 1].bytes.upperBound
  }
}
