/// Finds topics by the words of a question: in names, in words that mean the same, in forms and in descriptions.
enum HelpSearch {
  /// The maximum number of results.
  static let limit = 8

  /// Returns the topics that contain every word of the question, the most relevant first.
  ///
  /// If none contains every word, topics with any of them are returned.
  static func results(for question: String, in topics: [HelpTopic]) -> [HelpTopic] {
    let asked = words(of: question, splitsNames: false).filter { !fillers.contains($0) }.map(stem)
    guard !asked.isEmpty else { return [] }
    let scored = topics.enumerated().map { place, topic in
      let text = SearchedTopic(topic)
      return (place: place, topic: topic, scores: asked.map(text.score))
    }
    let whole = scored.filter { !$0.scores.contains(0) }
    let found = whole.isEmpty ? scored.filter { $0.scores.contains { $0 > 0 } } : whole
    let sums = found.map { (place: $0.place, topic: $0.topic, sum: $0.scores.reduce(0, +)) }
    let best = sums.map(\.sum).max() ?? 0
    return sums.filter { $0.sum * 4 >= best }
      .sorted { $0.sum == $1.sum ? $0.place < $1.place : $0.sum > $1.sum }
      .prefix(limit).map(\.topic)
  }

  /// Words that say nothing about what is asked for.
  private static let fillers: Set<String> = [
    "a", "an", "and", "be", "been", "can", "do", "does", "for", "has", "have", "how", "i", "in",
    "is", "it", "me", "my", "not", "of", "on", "or", "that", "the", "there", "this", "to", "was",
    "were",
    "what", "where", "who", "with", "you",
  ]

  /// Returns the words of a text in lower case; a name such as `customClaims` may count as its parts as well.
  static func words(of text: String, splitsNames: Bool) -> [String] {
    text.split { !$0.isLetter && !$0.isNumber }.flatMap { word in
      let parts = splitsNames ? parts(of: word) : []
      return [word.lowercased()] + (parts.count > 1 ? parts.map { $0.lowercased() } : [])
    }
  }

  private static func parts(of name: Substring) -> [String] {
    name.reduce(into: [""]) { parts, character in
      let last = parts[parts.count - 1]
      if character.isUppercase, last.last?.isLowercase == true { parts.append("") }
      parts[parts.count - 1].append(character)
    }
  }

  /// Removes the ending of a plural or a verb, so that merge, merges, merged and merging are one word.
  static func stem(_ word: String) -> String {
    if word.hasSuffix("ies"), word.count > 4 { return word.dropLast(3) + "y" }
    for ending in ["ing", "ed", "es", "s", "e"] where word.hasSuffix(ending) {
      let rest = String(word.dropLast(ending.count))
      if rest.count >= 3, !(ending == "s" && rest.hasSuffix("s")) { return rest }
    }
    return word
  }
}

/// The words of a topic, by their weight in a search.
private struct SearchedTopic {
  private let weighted: [(words: Set<String>, weight: Int)]

  init(_ topic: HelpTopic) {
    func stems(_ text: String) -> Set<String> {
      Set(HelpSearch.words(of: text, splitsNames: true).map(HelpSearch.stem))
    }
    weighted = [
      (stems(topic.name), 8), (stems(HelpWords.of[topic.name] ?? ""), 8),
      (stems(topic.forms.joined(separator: " ")), 3), (stems(topic.about), 2),
    ]
  }

  /// Returns the weight of the best match of a stem; the beginning of a word counts half.
  func score(_ stem: String) -> Int {
    weighted.map { words, weight in
      if words.contains(stem) { return weight }
      guard stem.count >= 3, words.contains(where: { $0.hasPrefix(stem) }) else { return 0 }
      return weight / 2
    }.max() ?? 0
  }
}
