/// A search for accounts by a part of what is known about them.
///
/// It finds addresses of accounts and of identities, phone numbers, names, uids and subjects of identities, by their
/// beginning or by that of a word in them; phone numbers also by their last digits, and names by their words in any
/// order that leads around. Case, accents and punctuation do not matter, except in uids and subjects.
public struct TextSearch: Hashable, Sendable {
  /// The text that was asked for, without spaces around it.
  public let text: String
  private let phrase: String
  private let digits: String?

  /// Reads the text of a search, or throws `invalid-argument` if there is no letter or digit in it.
  public init(_ text: String) throws(AuthError) {
    let isSpace = { (scalar: Unicode.Scalar) in scalar.properties.isWhitespace }
    let scalars = text.unicodeScalars
    let start = scalars.firstIndex { !isSpace($0) } ?? scalars.endIndex
    let end = scalars.lastIndex { !isSpace($0) }.map(scalars.index(after:)) ?? start
    let trimmed = String(scalars[start..<end])
    let words = FoldedText.words(trimmed)
    guard !words.isEmpty, TextBounds.name.allow(trimmed) else {
      throw AuthError(
        .invalidArgument,
        words.isEmpty
          ? "There is no letter or digit to search for." : "The text to search for is too long.",
        field: "text",
        remedy: "Give a part of an address, a name, a number or a uid, such as \"haas\".")
    }
    self.text = trimmed
    phrase = SearchTerms.bounds.cut(words.joined(separator: " "))
    digits = Self.digits(trimmed)
  }

  /// Returns the digits of a text that may be a phone number or a part of one; nil for other texts.
  private static func digits(_ text: String) -> String? {
    guard text.utf8.allSatisfy({ "0123456789+-.() /".utf8.contains($0) }) else { return nil }
    return text.filter { $0.isASCII && $0.isNumber }
  }

  /// A part of the search: the accounts with one kind of text, in order of that text and then of uid.
  package enum Step: Hashable, Sendable {
    case uid(TextRange)
    /// In order of provider, subject and issuer.
    case subject(TextRange)
    case term(place: Int, TextRange)
  }

  /// Texts that begin with a text.
  package struct TextRange: Hashable, Sendable {
    package let beginning: String
    /// True for the text itself alone.
    package let isExact: Bool

    /// The text before which all these texts come; the beginning itself is the first of them.
    package var end: String { beginning + "\u{10FFFF}" }

    package func contains(_ text: String) -> Bool {
      isExact ? text.isExactly(beginning) : text.utf8.starts(with: beginning.utf8)
    }
  }

  /// The parts of the search, the best first: the whole text, then the beginning of a text, then that of a word in it.
  ///
  /// An account that several parts find belongs to the first of them.
  package var steps: [Step] {
    parts(isExact: true) + parts(isExact: false) + terms(isExact: false, isInside: true)
  }

  private func parts(isExact: Bool) -> [Step] {
    let range = TextRange(beginning: text, isExact: isExact)
    return terms(isExact: isExact, isInside: false) + [.uid(range), .subject(range)]
  }

  private func terms(isExact: Bool, isInside: Bool) -> [Step] {
    SearchTerm.Source.allCases.flatMap { source in
      texts(source, isInside: isInside).map { text in
        .term(
          place: SearchTerm.place(source, isInside: isInside),
          TextRange(beginning: text, isExact: isExact))
      }
    }
  }

  /// The least number of digits that are searched for in phone numbers.
  private static let fewestDigits = 3

  /// Returns the beginnings of terms that are searched for, the best first.
  private func texts(_ source: SearchTerm.Source, isInside: Bool) -> [String] {
    guard source == .phone else { return [phrase] }
    guard let digits else { return [] }
    // A zero or two before a number are no part of it.
    let number = String(digits.drop { $0 == "0" })
    let wanted = isInside && digits != number ? [digits, number] : [number]
    return wanted.filter { $0.count >= Self.fewestDigits }
      .map { isInside ? String($0.reversed()) : $0 }
  }
}

extension TextSearch {
  /// Returns the place of an account among the results of a step; nil if the step does not find it.
  private func position(
    of account: Account, _ terms: [SearchTerm], in step: Step
  ) -> [String]? {
    let texts: [[String]] =
      switch step {
      case .uid(let range): range.contains(account.id.rawValue) ? [[account.id.rawValue]] : []
      case .subject(let range):
        account.identities.flatMap(\.keys).filter { range.contains($0.subject) }
          .map { [$0.provider.rawValue, $0.subject, $0.issuer] }
      case .term(let place, let range):
        terms.filter { $0.place == place && range.contains($0.text) }
          .map { [$0.text, account.id.rawValue] }
      }
    return texts.min(by: Self.precedes)
  }

  private static func precedes(_ a: [String], _ b: [String]) -> Bool {
    for (a, b) in zip(a, b) where !a.isExactly(b) { return a.precedesExactly(b) }
    return false
  }

  /// Returns the number of the first step that finds an account; nil if none does.
  package func rank(of account: Account) -> Int? {
    let terms = account.searchTerms
    return steps.firstIndex { position(of: account, terms, in: $0) != nil }
  }

  /// Returns the accounts among these that the search finds, in its order.
  ///
  /// It looks at each of them, so it is for stores without an index.
  public func found(among accounts: some Sequence<Account>) -> [AccountID] {
    let accounts = accounts.map { (account: $0, terms: $0.searchTerms) }
    var found: [AccountID] = []
    var seen: Set<AccountID> = []
    for step in steps {
      let hits = accounts.compactMap { account, terms in
        position(of: account, terms, in: step).map { (place: $0, id: account.id) }
      }
      for hit in hits.sorted(by: { Self.precedes($0.place, $1.place) })
      where seen.insert(hit.id).inserted { found.append(hit.id) }
    }
    return found
  }
}
