/// A text of an account under which a search finds it, and its place in the order of results.
package struct SearchTerm: Hashable, Sendable {
  /// The part of an account that a term comes from, the most telling first.
  package enum Source: Int, CaseIterable, Sendable {
    /// The account's own address.
    case address
    /// The address of an identity, such as a relay address.
    case identityAddress
    /// A phone number, in digits.
    case phone
    /// A display name or a screen name.
    case name
  }

  /// The number that stores keep: twice the source, and one more for a term that begins inside the text.
  package let place: Int
  /// Folded words with one space between them, or digits.
  package let text: String

  package static func place(_ source: Source, isInside: Bool) -> Int {
    source.rawValue * 2 + (isInside ? 1 : 0)
  }
}

/// The terms of an account, each once, at its best place.
///
/// A text is a term from its first word and from each later one, so that a search is always for the beginning of a
/// term. A name's later words are followed by the earlier ones. A phone number is a term forwards and, inside,
/// backwards, so that its last digits find it.
package struct SearchTerms: Sendable {
  package private(set) var all: [SearchTerm] = []

  /// The maximum number of terms of an account; further ones are not found.
  private static let most = 48
  /// The maximum number of words of a text.
  private static let mostWords = 8
  /// The bounds of a term, which is part of a key.
  package static let bounds = TextBounds(characters: 80, bytes: 200)

  package init(
    email: String?, phoneNumber: String?, displayName: String?, identities: [IdentityProfile]
  ) {
    if let email { add(address: email, .address) }
    if let phoneNumber { add(phone: phoneNumber) }
    if let displayName { add(name: displayName) }
    for profile in identities { add(profile) }
  }

  /// Adds the terms of a further identity.
  package mutating func add(_ profile: IdentityProfile) {
    if let email = profile.email { add(address: email, .identityAddress) }
    if let number = profile.phoneNumber { add(phone: number) }
    for name in [profile.displayName, profile.screenName] {
      if let name { add(name: name) }
    }
  }

  private mutating func add(address: String, _ source: SearchTerm.Source) {
    let words = FoldedText.words(address).prefix(Self.mostWords)
    // The last label of a domain tells nothing.
    for start in words.indices.dropLast(words.count > 1 ? 1 : 0) {
      add(words[start...].joined(separator: " "), source, isInside: start > 0)
    }
  }

  private mutating func add(phone: String) {
    let digits = phone.filter { $0.isASCII && $0.isNumber }
    guard !digits.isEmpty else { return }
    add(digits, .phone, isInside: false)
    add(String(digits.reversed()), .phone, isInside: true)
  }

  private mutating func add(name: String) {
    let words = FoldedText.words(name).prefix(Self.mostWords)
    for start in words.indices {
      add(
        (words[start...] + words[..<start]).joined(separator: " "), .name, isInside: start > 0)
    }
  }

  private mutating func add(_ text: String, _ source: SearchTerm.Source, isInside: Bool) {
    let term = SearchTerm(
      place: SearchTerm.place(source, isInside: isInside), text: Self.bounds.cut(text))
    // The same address or name of another identity adds nothing.
    let isKnown = all.contains { known in
      (known.place & 1) <= (term.place & 1) && known.text == term.text
        && (known.isPhone == term.isPhone)
    }
    if !isKnown && all.count < Self.most { all.append(term) }
  }
}

extension SearchTerm {
  fileprivate var isPhone: Bool { place / 2 == Source.phone.rawValue }
}

extension Account {
  /// The terms under which a search finds the account, besides its uid and the subjects of its identities.
  package var searchTerms: [SearchTerm] { terms(identities).all }

  private func terms(_ identities: some Sequence<Identity>) -> SearchTerms {
    SearchTerms(
      email: email?.text, phoneNumber: phoneNumber?.text, displayName: displayName,
      identities: identities.map(\.profile))
  }

  /// Returns the terms that another version of the account lacks, and those of it that this one lacks.
  package func searchTerms(
    since old: Account
  ) -> (added: ArraySlice<SearchTerm>, removed: ArraySlice<SearchTerm>) {
    let shared = min(identities.count, old.identities.count)
    let isLonger =
      email == old.email && phoneNumber == old.phoneNumber && displayName == old.displayName
      && (0..<shared).allSatisfy { identities[$0].profile == old.identities[$0].profile }
    guard isLonger else {
      let (terms, oldTerms) = (searchTerms, old.searchTerms)
      return (
        terms.filter { !oldTerms.contains($0) }[...], oldTerms.filter { !terms.contains($0) }[...]
      )
    }
    // A term never depends on later identities, so those at the end add to the terms alone.
    var terms = terms(identities.prefix(shared))
    let count = terms.all.count
    for identity in identities.dropFirst(shared) { terms.add(identity.profile) }
    let added = terms.all[count...]
    guard old.identities.count > shared else { return (added, []) }
    for identity in old.identities.dropFirst(shared) { terms.add(identity.profile) }
    return (added, terms.all[count...])
  }

  /// Tells whether another version of the account surely has the same terms.
  package func hasSearchTerms(of other: Account) -> Bool {
    email == other.email && phoneNumber == other.phoneNumber && displayName == other.displayName
      && identities.count == other.identities.count
      && identities.indices.allSatisfy { index in
        let (own, others) = (identities[index].profile, other.identities[index].profile)
        return own.email == others.email && own.phoneNumber == others.phoneNumber
          && own.displayName == others.displayName && own.screenName == others.screenName
      }
  }
}
